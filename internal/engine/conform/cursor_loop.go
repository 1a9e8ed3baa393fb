package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxFollowed is how many pages of a tool are read by following what each says about the next one.
const maxFollowed = 8

// Names of results that say where the next page starts; descriptions of lists that do not end.
var (
	followNames = lazyregexp.New(`^next_?(?:cursor|token|page_?token|page_?cursor|page|offset|start|skip|position|index)?$`)
	moreNames   = lazyregexp.New(`^(?:has_?(?:more|next(?:_?page)?)|more|is_?truncated|truncated|(?:is_?)?(?:last|last_?page|end|done|complete))$`)
	goesOn      = lazyregexp.New(`(?i)more|next|truncated`)
	totalNames  = lazyregexp.New(`^(?:num_?|page_?)?(?:total|count|pages)(?:_?\w+)?$`)
	endless     = lazyregexp.New(`(?i)\b(?:poll\w*|tail\w*|follow (?:a|the) |live|stream\w*|real.?time|watch\w*|sync\w*|since|same cursor|` +
		`unchanged|wraps?|loops?|cycl\w*|endless\w*|rotat\w*|repeats?|new (?:events|messages|entries|lines|items|records))\b`)
)

// startArguments returns the optional arguments of a tool that select where a page starts.
func startArguments(t Tool) []string {
	required := strings.Join(stringsIn(At(t.Definition, "/inputSchema/required")), "\n")
	var names []string
	for _, m := range declaredArguments(t.Definition) {
		lower := strings.ToLower(m.Name)
		if (cursorNames().MatchString(lower) || pageNames().MatchString(lower) || offsetNames().MatchString(lower)) &&
			!strings.Contains("\n"+required+"\n", "\n"+m.Name+"\n") {
			names = append(names, m.Name)
		}
	}
	return names
}

// A followedPage is the result of one call, and where it says the next page starts.
type followedPage struct {
	at    string // the value of the argument, as JSON; empty for the first page
	next  string // the value for the next page; empty if there is none
	items json.RawMessage
	ex    *mcp.Exchange
}

// followPages reports a tool whose pages lead back to one of them, so that a client that follows them never ends, or that do not have as
// many items as the total says.
func (p *CheckContext) followPages(ctx context.Context, t Tool) error {
	names := startArguments(t)
	if len(names) != 1 || endless().MatchString(schema.TextAt(t.Definition, "/description")) ||
		endless().MatchString(schema.TextAt(declaredArgument(t.Definition, names[0]), "/description")) {
		return nil
	}
	name := names[0]
	start, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(name)}})
	if err != nil {
		start = t.Arguments // the sample has no such argument
	}
	read := func(at string) (*followedPage, error) { return p.followedPage(ctx, t, start, name, at) }
	var seen []*followedPage
	at := ""
	for range maxFollowed {
		page, err := read(at)
		if err != nil || page == nil {
			return err
		}
		seen = append(seen, page)
		if page.next == "" {
			return p.reportLost(t, seen, read)
		}
		if len(seen) == 1 {
			if larger := largerPages(t, start, page); !equalJSON(larger, start) {
				start, seen = larger, nil
				continue
			}
		}
		at = page.next
		for i, earlier := range seen {
			if earlier.at == at {
				return p.reportLoop(t, name, seen, i, read)
			}
		}
	}
	return nil
}

// followedPage reads a page; nil if the call fails, if it has not exactly one list, or if the list is empty.
func (p *CheckContext) followedPage(ctx context.Context, t Tool, start json.RawMessage, name, at string) (*followedPage, error) {
	arguments := start
	if at != "" {
		if arguments = withArgument(t, start, name, at); !hasArgument(arguments, name, at) {
			return nil, nil // the schema forbids it
		}
	}
	items, ex, err := p.page(ctx, t, arguments)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	next := nextStart(ex.Reply.Result)
	if pageNames().MatchString(strings.ToLower(name)) || offsetNames().MatchString(strings.ToLower(name)) {
		if hasTotal(ex.Reply.Result) {
			next = "" // a client can calculate where the list ends
		}
	}
	raw, _ := json.Marshal(items) // marshaling JSON never fails
	return &followedPage{at, next, raw, ex}, nil
}

// reportLoop reports pages that lead back to one of them, if reading them again returns the same, and no value in the last
// one says that the list ends.
func (p *CheckContext) reportLoop(t Tool, name string, seen []*followedPage, back int,
	read func(string) (*followedPage, error)) error {
	last := seen[len(seen)-1]
	if last.at == "" || seen[back].at == "" || saysEnd(last.ex.Reply.Result, seen[0].ex.Reply.Result) {
		return nil
	}
	for _, page := range seen[back:] {
		again, err := read(page.at)
		if err != nil || again == nil || again.next != page.next || !equalJSON(again.items, page.items) {
			return err
		}
	}
	what := "the same page again"
	if back < len(seen)-1 {
		what = "an earlier page"
	}
	p.once(Evidence{Subject: t.Name, Exchange: last.ex, Led: true}, "%s %s: expected the next page or the end of the list, got "+
		"a result that leads to %s, with %s", name, show(json.RawMessage(last.at)), what, show(json.RawMessage(last.next)))
	return nil
}

// nextStart returns where a result says that the next page starts, as JSON; empty if it does not say so or says several.
func nextStart(result json.RawMessage) string {
	found := ""
	for _, m := range outerMembers(result) {
		if !followNames().MatchString(strings.ToLower(m.Name)) {
			continue
		}
		switch value := string(m.Value); {
		case value == "null" || value == `""` || schema.Kind(m.Value) != '"' && schema.Kind(m.Value) != '0':
		case found != "" && found != value:
			return ""
		default:
			found = value
		}
	}
	return found
}

// outerMembers returns the members of the object in a result, and of the objects in it.
func outerMembers(result json.RawMessage) []schema.Member {
	members, _ := schema.Members(inner(valueOf(result)))
	for _, m := range members {
		if schema.Kind(m.Value) == '{' {
			nested, _ := schema.Members(m.Value)
			members = append(members, nested...)
		}
	}
	return members
}

// saysEnd reports whether a result has a boolean by which a client sees the end of the list: one that has such a name, or
// another value than in the first page.
func saysEnd(last, first json.RawMessage) bool {
	before := map[string]string{}
	for _, m := range outerMembers(first) {
		before[m.Name] = string(m.Value)
	}
	for _, m := range outerMembers(last) {
		value, end := string(m.Value), "true"
		if goesOn().MatchString(m.Name) {
			end = "false"
		}
		if (value == "true" || value == "false") && (before[m.Name] != value || value == end && moreNames().MatchString(
			strings.ToLower(m.Name))) {
			return true
		}
	}
	return false
}

// hasTotal reports whether a result has a number of items or pages in total.
func hasTotal(result json.RawMessage) bool {
	for _, m := range outerMembers(result) {
		if schema.Kind(m.Value) == '0' && totalNames().MatchString(strings.ToLower(m.Name)) {
			return true
		}
	}
	return false
}

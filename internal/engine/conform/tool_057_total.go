package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool057 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-057",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `total in a result should not depend on the limit

A read-only tool returns a list and a total, such as total or total_count, and limits the list by an argument. It was called with
two small limits and a large one: the total was the number of returned items each time, although the large limit returned
more of the same list. A model reports the size of a page as the number of matches. Count before you cut the list, or name the
number for what it is, such as returned. Tools whose result or description says that more items exist are not reported.`,
	},
	Needs: "tools",
	Alone: true, // calls of other checks could change the list
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := pageLimit(c.Tool)
			if name == "" || tried == maxReads || causedRequest(c) || c.Result() == nil || c.Failed() ||
				!safety.Reads(c.Definition) {
				continue
			}
			member, _ := totalOf(c.Result())
			if member == "" || countsPage(c.Definition, member) {
				continue
			}
			tried++
			if err := p.compareTotals(ctx, c.Tool, name, member); err != nil {
				return err
			}
		}
		return nil
	},
}

// Names of numbers that count all items, of arguments that limit how many are returned, and of values that say that there are
// more; texts that say that a total counts the returned items.
var (
	allItems = lazyregexp.New(`^(?:(?:grand_?)?total|(?:total|all)_?(?:count|results|items|matches|matching|hits|found|records|entries|rows|number)|` +
		`(?:count|num|number)_?total|(?:num|number_?of)_?matches|match_?count)$`)
	pageLimits = lazyregexp.New(`^(?:limit|max_?(?:results|items|count)|(?:page_?|result_?)(?:size|limit)|(?:items_|results_)?per_?page|take)$`)
	returned   = lazyregexp.New(`(?i)\b(?:returned|shown|listed|on this page|(?:in|of|on) (?:this|the) (?:page|response|result|list|batch|chunk)|` +
		`page size|after limit\w*|limited to)\b`)
	searching = lazyregexp.New(`^(?:search|find|query|lookup)(?:_|$)`)
)

// pageLimit returns the argument of a tool that limits a list; empty if there is none.
func pageLimit(t Tool) string { return numberArgument(t, pageLimits().MatchString, 1, 2, 3) }

// totalOf returns the only member of a result that counts all items, and its value; the name is empty if there is none.
func totalOf(result json.RawMessage) (name string, total int) {
	for _, m := range outerMembers(result) {
		n, err := strconv.Atoi(string(m.Value))
		if err != nil || !allItems().MatchString(schema.Snake(m.Name)) {
			continue
		}
		if name != "" {
			return "", 0
		}
		name, total = m.Name, n
	}
	return name, total
}

// countsPage reports whether a tool says that a total counts the returned items.
func countsPage(tool json.RawMessage, member string) bool {
	output := schema.TextAt(tool, "/outputSchema/properties/"+schema.Token(member)+"/description")
	if output != "" {
		return returned().MatchString(output)
	}
	for sentence := range strings.FieldsFuncSeq(schema.TextAt(tool, "/description"), func(r rune) bool { return r == '.' || r == '\n' }) {
		if strings.Contains(strings.ToLower(sentence), strings.ToLower(member)) && returned().MatchString(sentence) {
			return true
		}
	}
	return false
}

// compareTotals calls a tool with two small limits and the largest one, and reports a total that is the length of the list
// each time. It tries letters for a text to search by if the sample call finds too little.
func (p *CheckContext) compareTotals(ctx context.Context, t Tool, limit, member string) error {
	for _, arguments := range searches(t) {
		one, err := p.limited(ctx, t, arguments, limit, 2)
		if err != nil || one == nil || len(one.items) > 2 || one.total != len(one.items) {
			return err
		}
		if len(one.items) < 2 {
			continue // this search has too few matches
		}
		two, err := p.limited(ctx, t, arguments, limit, 3)
		if err != nil || two == nil || len(two.items) > 3 || two.total != len(two.items) {
			return err
		}
		if len(two.items) < 3 {
			continue
		}
		all, err := p.mostItems(ctx, t, arguments, limit)
		if err != nil || all == nil || all.total != len(all.items) || len(all.items) <= 3 ||
			!equalItems(one.items, two.items[:2]) || !equalItems(two.items, all.items[:3]) {
			return err
		}
		if len(all.items) >= all.limit && !searching().MatchString(schema.Snake(t.Name)) {
			return nil // it may generate as many items as requested
		}
		p.once(Evidence{Subject: t.Name, Exchange: one.ex, Led: true}, "%s is 2 with %s 2, and 3 with %s 3: expected the number of "+
			"all items, at least %d, got the length of the list", member, limit, limit, len(all.items))
		return nil
	}
	return nil
}

// A limitedList is the result of a call with a limit.
type limitedList struct {
	items []json.RawMessage
	total int
	limit int
	ex    *mcp.Exchange
}

// limited calls a tool with a limit. The list is nil if the call failed, or if its result says that there are more items.
func (p *CheckContext) limited(ctx context.Context, t Tool, arguments json.RawMessage, name string, limit int) (*limitedList, error) {
	arguments = withArgument(t, arguments, name, strconv.Itoa(limit))
	if !hasArgument(arguments, name, strconv.Itoa(limit)) {
		return nil, nil
	}
	items, ex, err := p.page(ctx, t, arguments)
	if err != nil || items == nil {
		return nil, err
	}
	member, total := totalOf(ex.Reply.Result)
	if member == "" || schema.Snake(member) == "total" && saysMore(ex.Reply.Result, total) {
		return nil, nil
	}
	return &limitedList{items, total, limit, ex}, nil
}

// mostItems calls a tool with the largest limit that it allows.
func (p *CheckContext) mostItems(ctx context.Context, t Tool, arguments json.RawMessage, name string) (*limitedList, error) {
	for _, limit := range []int{100, 50, 25, 20, 10, 5} {
		if l, err := p.limited(ctx, t, arguments, name, limit); l != nil || err != nil {
			return l, err
		}
	}
	return nil, nil
}

// saysMore reports whether a result says that there are more items than the total: by a larger number, by a boolean such as
// has_more, or by where the next page starts.
func saysMore(result json.RawMessage, total int) bool {
	return nextStart(result) != "" || slices.ContainsFunc(outerMembers(result), func(m schema.Member) bool {
		n, err := strconv.Atoi(string(m.Value))
		name := strings.ToLower(m.Name)
		return err == nil && n > total && totalNames().MatchString(name) ||
			string(m.Value) == "true" && goesOn().MatchString(name) && moreNames().MatchString(name)
	})
}

// searches returns the sample arguments of a tool, and then these with a letter for its only required text.
func searches(t Tool) []json.RawMessage {
	all := []json.RawMessage{t.Arguments}
	if names := textArguments(t); len(names) == 1 {
		for _, letter := range []string{`"a"`, `"e"`} {
			if changed := withArgument(t, t.Arguments, names[0], letter); !equalJSON(changed, t.Arguments) {
				all = append(all, changed)
			}
		}
	}
	return all
}

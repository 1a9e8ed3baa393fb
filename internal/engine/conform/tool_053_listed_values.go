package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool053 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-053",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `tool should find the items that its list tool returns

A tool such as get_project has one required argument. It was called with several values of this name that list_projects had
returned, and rejected all of them as unknown, or its schema forbids one of these values. A model that lists the items and then
reads one fails. Return the values that the other tool takes, and let its schema allow them.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tools, err := p.Callable(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, listing := range done {
			noun := nounOf(listing.Name, listVerbs())
			if noun == "" || listing.Result() == nil || listing.Failed() {
				continue
			}
			for _, t := range tools {
				argument := keyArgument(t)
				if argument == "" || nounOf(t.Name, getVerbs()) != noun || tried == maxReads || p.round.limited(t.Name) {
					continue
				}
				tried++
				if err := p.findListed(ctx, listing, t, argument, noun); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// The verbs of tools that return a list, and of those that return one of its items.
var (
	listVerbs = lazyregexp.New(`^list_(?:all_)?(.+)$`)
	getVerbs  = lazyregexp.New(`^(?:get|read|describe|show|fetch|lookup|view|inspect)_(.+?)(?:_(?:details?|info|by_\w+))?$`)
)

// nounOf is what a tool lists or returns, in the singular; empty if its name does not say so.
func nounOf(name string, verbs interface{ FindStringSubmatch(string) []string }) string {
	found := verbs.FindStringSubmatch(schema.Snake(name))
	if found == nil {
		return ""
	}
	return schema.Singular(found[1])
}

// keyArgument returns the only required argument of a tool if it is a text without listed values; else it is empty.
func keyArgument(t Tool) string {
	required := stringsIn(At(t.Definition, "/inputSchema/required"))
	if len(required) != 1 {
		return ""
	}
	rules := declaredArgument(t.Definition, required[0])
	if schema.TextAt(rules, "/type") != "string" || At(rules, "/enum") != nil {
		return ""
	}
	return required[0]
}

// notFound matches what tools say about an unknown item.
var notFound = lazyregexp.New(`(?i)not found|unknown|no such|\bno \w+ (?:named|called|with|for|found)|there is no|(?:do|does) ?n[o']t exist|` +
	`could ?n[o']t find|cannot find|can't find|unable to find`)

// Listed values of which all have to be unknown.
const (
	minUnknown = 2
	maxUnknown = 3
)

// findListed calls a tool with values that another one has listed, and reports it if its schema forbids one, or if all of them are
// unknown.
func (p *CheckContext) findListed(ctx context.Context, listing CallResult, t Tool, argument, noun string) error {
	values := listedValues(listing.Result(), argument, noun)
	with := func(value json.RawMessage) json.RawMessage {
		return withArgument(t, t.Arguments, argument, string(value))
	}
	for _, value := range values {
		if !equalJSON(At(with(value), "/"+schema.Token(argument)), value) {
			p.Report(Evidence{Subject: t.Name, Exchange: listing.Exchange}, "%s of %s: expected a schema that allows the values that %s "+
				"returns, got one that forbids %s", argument, t.Name, listing.Name, clip.Text(string(value), maxNames))
			return nil
		}
	}
	var last *mcp.Exchange
	for _, value := range values[:min(len(values), maxUnknown)] {
		ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", with(value)))
		if err != nil {
			return err
		}
		said := ""
		if e := ex.Reply.Error; e != nil {
			said = e.Message
		} else if calls.IsError(ex.Reply.Result) {
			said = textsOf(ex.Reply.Result)
		}
		if !notFound().MatchString(said) {
			return nil
		}
		last = ex
	}
	if len(values) >= minUnknown {
		p.Report(Evidence{Subject: t.Name, Exchange: last}, "%s rejects each of %d values that %s returned: expected an item, "+
			"got %s", t.Name, min(len(values), maxUnknown), listing.Name, quoted(textsOf(last.Reply.Result)+errorMessage(last)))
	}
	return nil
}

func errorMessage(ex *mcp.Exchange) string {
	if ex.Reply.Error == nil {
		return ""
	}
	return ex.Reply.Error.Message
}

// listedValues returns the different values of an argument in a list: its items, or their members of the same name.
func listedValues(result json.RawMessage, argument, noun string) []json.RawMessage {
	items, _ := schema.Elements(onlyList(valueOf(result)))
	key := schema.Snake(argument)
	short := strings.TrimPrefix(key, noun+"_") // project_id may be the id of a project
	var values []json.RawMessage
	for _, item := range items {
		value := item
		if schema.Kind(item) == '{' {
			value = nil
			members, _ := schema.Members(item)
			for _, m := range members {
				if name := schema.Snake(m.Name); name == key || name == short || name == noun+"_"+key {
					value = m.Value
					break
				}
			}
		}
		if schema.Kind(value) == '"' && !slices.ContainsFunc(values, func(v json.RawMessage) bool { return equalJSON(v, value) }) {
			values = append(values, value)
		}
	}
	return values
}

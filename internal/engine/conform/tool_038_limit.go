package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool038 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-038",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `tool should return at most as many items as requested

The tool has an argument such as limit or max_results. It was called with 1, and the only list in its result has more
items. The model asked for few items to keep its context small, and gets all of them. Pass the argument on.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := limitOf(c.Definition)
			if name == "" || tried == maxReads || c.Result() == nil || c.Failed() {
				continue
			}
			arguments, err := schema.Apply(c.Arguments,
				[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage("1")}})
			if err != nil {
				continue
			}
			tried++
			ex, err := p.Call(ctx, "tools/call", mcp.Object("name", c.Name, "arguments", arguments))
			if err != nil {
				return err
			}
			if items := itemCount(ex.Reply.Result); items > 1 {
				p.Report(Evidence{Subject: c.Name, Exchange: ex},
					"%s is 1: expected at most one item, got a list of %d", name, items)
			}
		}
		if tried == 0 {
			return p.Skip("no called tool has an argument that limits its result")
		}
		return nil
	},
}

// limitNames matches the names of arguments that limit how many items a tool returns.
var limitNames = lazyregexp.New(`^(?:limit|max_?(?:results|items|count)|top_?k|page_?size|per_?page)$`)

// limitOf returns the argument of a tool that limits its result and may be 1; empty if there is none.
func limitOf(tool json.RawMessage) string {
	return integerArgument(tool, limitNames(), "1")
}

// integerArgument returns the first integer argument of a tool whose name matches and that may have the values; empty
// if there is none.
func integerArgument(tool json.RawMessage, names *regexp.Regexp, values ...string) string {
	members, _ := schema.Members(At(tool, "/inputSchema/properties"))
	for _, m := range members {
		if !names.MatchString(strings.ToLower(m.Name)) || schema.TextAt(m.Value, "/type") != "integer" {
			continue
		}
		compiled, err := schema.Compile(m.Value, nil)
		if err == nil && !slices.ContainsFunc(values, func(v string) bool { return len(compiled.Validate([]byte(v))) > 0 }) {
			return m.Name
		}
	}
	return ""
}

// itemCount returns the length of the only list in a result: its structured content, or its text as JSON. It is 0 if
// there is none or several.
func itemCount(result json.RawMessage) int {
	value := At(result, "/structuredContent")
	if value == nil {
		value = bytes.TrimSpace([]byte(textsOf(result)))
	}
	if !json.Valid(value) {
		return 0
	}
	if items, err := schema.Elements(value); err == nil && schema.Kind(value) == '[' {
		return len(items)
	}
	lists, count := 0, 0
	members, _ := schema.Members(value)
	for _, m := range members {
		if schema.Kind(m.Value) == '[' {
			items, _ := schema.Elements(m.Value)
			lists, count = lists+1, len(items)
		}
	}
	if lists != 1 {
		return 0
	}
	return count
}

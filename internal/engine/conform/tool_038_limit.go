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
items. The model asked for few items to keep its context small, and gets all of them. Pass the argument on.

A tool that respects 1 is also called with 0, if its schema has 0 as the minimum and no description says what 0 means.
Typical cause of several items: code that replaces a missing argument by a default replaces 0 as well.`,
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
			items := itemCount(ex.Reply.Result)
			if items > 1 {
				p.Report(Evidence{Subject: c.Name, Exchange: ex},
					"%s is 1: expected at most one item, got a list of %d", name, items)
			}
			if items == 1 && mayBeZero(c.Tool, name) {
				if err := p.limitZero(ctx, c.Tool, name); err != nil {
					return err
				}
			}
		}
		if tried == 0 {
			return p.Skip("no called tool has an argument that limits its result")
		}
		return nil
	},
}

// limitZero reports a tool that returns several items although the limit is 0.
func (p *CheckContext) limitZero(ctx context.Context, t Tool, name string) error {
	arguments := withArgument(t, t.Arguments, name, "0")
	if !hasArgument(arguments, name, "0") {
		return nil
	}
	ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
	if err != nil {
		return err
	}
	if items := itemCount(ex.Reply.Result); items > 1 && !(CallResult{t, ex}).Failed() {
		p.Report(Evidence{Subject: t.Name, Exchange: ex}, "%s is 0, its minimum: expected no items, got a list of %d", name, items)
	}
	return nil
}

// mayBeZero reports whether 0 is the minimum of a limit by the choice of the author, and means no items: the minimum is
// not that of an unsigned type, 0 is not the default, and no description says that 0 means all items or the default.
func mayBeZero(t Tool, name string) bool {
	property := declaredArgument(t.Definition, name)
	return takes(property, "0") && !takes(property, "-1") && string(At(property, "/default")) != "0" &&
		!strings.HasPrefix(schema.TextAt(property, "/format"), "uint") &&
		!meansAll().MatchString(schema.TextAt(property, "/description")) &&
		!meansAll().MatchString(schema.TextAt(t.Definition, "/description"))
}

// meansAll matches a text by which the number 0 means all items, no limit or the default.
var meansAll = lazyregexp.New(`(?i)\b(?:0|zero)\b[^.;\n]{0,40}\b(?:all|no limit|unlimited|infinite|every\w*|defaults?|disable\w*|` +
	`unset|omit\w*|ignored?|without|maximum|max)\b|` +
	`\b(?:all|no limit|unlimited|infinite|every\w*|defaults?|disable\w*|unset|omit\w*|ignored?|without)\b[^.;\n]{0,40}\b(?:0|zero)\b`)

// limitNames matches the names of arguments that limit how many items a tool returns.
var limitNames = lazyregexp.New(`^(?:limit|max_?(?:results|items|count)|top_?k|page_?size|per_?page)$`)

// limitOf returns the argument of a tool that limits its result and may be 1; empty if there is none.
func limitOf(tool json.RawMessage) string {
	return integerArgument(tool, limitNames(), "1")
}

// integerArgument returns the first integer argument of a tool whose name matches and that may have the values; empty
// if there is none.
func integerArgument(tool json.RawMessage, names *regexp.Regexp, values ...string) string {
	for _, m := range declaredArguments(tool) {
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

// itemCount returns the length of the only list in a result. It is 0 if there is none or several.
func itemCount(result json.RawMessage) int {
	items, _ := schema.Elements(onlyList(valueOf(result)))
	return len(items)
}

// valueOf returns the structured content of a result, or its text, which may be JSON.
func valueOf(result json.RawMessage) json.RawMessage {
	if value := At(result, "/structuredContent"); value != nil {
		return value
	}
	return bytes.TrimSpace([]byte(textsOf(result)))
}

// onlyList returns a value that is a list, or the only list among its members; nil if there is none or several.
func onlyList(value json.RawMessage) (list json.RawMessage) {
	if len(value) == 0 || !json.Valid(value) {
		return nil
	}
	if schema.Kind(value) == '[' {
		return value
	}
	members, _ := schema.Members(value)
	for _, m := range members {
		if schema.Kind(m.Value) == '[' && list != nil {
			return nil
		}
		if schema.Kind(m.Value) == '[' {
			list = m.Value
		}
	}
	return list
}

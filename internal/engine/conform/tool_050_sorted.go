package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool050 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-050",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `tool should sort in the requested direction

The tool has an argument with the values asc and desc. It was called with both, and the list in both results is the same,
with at least two different items. A model that asks for the newest or the cheapest item gets another one. Pass the
argument on.

Tools with an argument such as sort_by, whose values are properties of the items, are called with some of these values. The items
have to be sorted by the numbers, dates or names of the property. If the numbers are sorted as texts, 10 comes before 9.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		ends := time.Now().Add(p.round.opts.Timeout)
		for _, c := range done {
			if c.Result() == nil || c.Failed() {
				continue
			}
			if time.Now().After(ends) {
				return nil // a slow server
			}
			if found, err := p.sorts(ctx, c); found || err != nil {
				return err
			}
			name, values := directionOf(c.Definition)
			if name == "" {
				continue
			}
			var lists [2]string
			var last *mcp.Exchange
			for i, value := range values {
				arguments := withArgument(c.Tool, c.Arguments, name, string(value))
				if last, err = p.Call(ctx, "tools/call", mcp.Object("name", c.Name, "arguments", arguments)); err != nil {
					return err
				}
				lists[i] = variedLines(last.Reply.Result)
			}
			if lists[0] != "" && lists[0] == lists[1] {
				p.Report(Evidence{Subject: c.Name, Exchange: last}, "%s is %s: expected another order than with %s, got "+
					"the same list", name, values[1], values[0])
			}
		}
		return nil
	},
}

// directionOf returns the argument of a tool that is a direction to sort in, and its two values; empty if there is none.
func directionOf(tool json.RawMessage) (name string, values [2]json.RawMessage) {
	for _, m := range declaredArguments(tool) {
		listed := stringsIn(At(m.Value, "/enum"))
		for _, pair := range [][2]string{{"asc", "desc"}, {"ascending", "descending"}} {
			for _, change := range []func(string) string{strings.ToLower, strings.ToUpper} {
				up, down := change(pair[0]), change(pair[1])
				if slices.Contains(listed, up) && slices.Contains(listed, down) {
					return m.Name, [2]json.RawMessage{json.RawMessage(`"` + up + `"`), json.RawMessage(`"` + down + `"`)}
				}
			}
		}
	}
	return "", values
}

// variedLines is variedList, or the lines of a text if there are several different ones.
func variedLines(result json.RawMessage) string {
	if list := variedList(result); list != "" {
		return list
	}
	text := strings.TrimSpace(textsOf(result))
	if lines := strings.Split(text, "\n"); len(lines) > 1 && lines[0] != lines[len(lines)-1] &&
		!bytes.ContainsAny([]byte(text[:1]), "{[") {
		return text
	}
	return ""
}

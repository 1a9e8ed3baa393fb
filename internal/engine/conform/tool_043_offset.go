package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool043 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-043",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `tool should skip as many items as requested

The tool has an argument such as offset or skip. It was called with 0 and with 1, and the only list in both results has the
same items. A model that reads page by page gets the first page again and again. Pass the argument on.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		tried := 0
		for _, c := range done {
			name := offsetOf(c.Definition)
			if name == "" || tried == maxReads || c.Result() == nil || c.Failed() {
				continue
			}
			tried++
			var lists [2]string
			var last *mcp.Exchange
			for i, value := range []string{"0", "1"} {
				arguments := c.Arguments
				for _, some := range []string{"2", "5"} { // a list of two shows it, too, where more are not allowed
					arguments = withArgument(c.Tool, arguments, limitOf(c.Definition), some)
				}
				arguments = withArgument(c.Tool, arguments, name, value)
				var err error
				if last, err = p.Call(ctx, "tools/call", mcp.Object("name", c.Name, "arguments", arguments)); err != nil {
					return err
				}
				lists[i] = variedList(last.Reply.Result)
			}
			if lists[0] != "" && lists[0] == lists[1] {
				p.Report(Evidence{Subject: c.Name, Exchange: last}, "%s is 1: expected the list without its first item, "+
					"got the same list as with 0", name)
			}
		}
		if tried == 0 {
			return p.Skip("no called tool has an argument that skips items")
		}
		return nil
	},
}

// withArgument sets an argument of a tool, unless its schema forbids the value or the name is empty.
func withArgument(t Tool, arguments json.RawMessage, name, value string) json.RawMessage {
	changed, err := schema.Apply(arguments,
		[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage(value)}})
	compiled, bad := schema.Compile(At(t.Definition, "/inputSchema"), nil)
	if name == "" || err != nil || bad != nil || len(compiled.Validate(changed)) > 0 {
		return arguments
	}
	return changed
}

// offsetNames matches the names of arguments that say how many items to skip.
var offsetNames = lazyregexp.New(`^(?:offset|skip|start_?(?:index|at|from)?)$`)

// offsetOf returns the argument of a tool that skips items and may be 0 and 1; empty if there is none.
func offsetOf(tool json.RawMessage) string {
	return integerArgument(tool, offsetNames(), "0", "1")
}

// variedList returns the only list in a result if its first two items differ; else it is empty.
func variedList(result json.RawMessage) string {
	list := onlyList(valueOf(result))
	items, err := schema.Elements(list)
	if err != nil || len(items) < 2 || equalJSON(items[0], items[1]) {
		return ""
	}
	return string(list)
}

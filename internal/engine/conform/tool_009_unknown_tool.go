package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool009 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-009",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `call of an unknown tool must fail with -32602

An unknown name is a client error, not an outcome of a tool. Many SDKs return a result with isError, which is reported
as a warning; after a result without isError, a client assumes that something was done.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", "mcptest-no-such-tool", "arguments",
			json.RawMessage(`{}`)))
		if err != nil {
			return err
		}
		if ex != nil && ex.Reply.Error == nil && calls.IsError(ex.Reply.Result) {
			p.Warn(Evidence{Exchange: ex, Pointer: "/isError"},
				"unknown tool: expected error -32602, got a result with isError")
			return nil
		}
		p.expectCode(ex, "unknown tool", mcp.CodeInvalidParams)
		return nil
	},
}

package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool009 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-009",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#error-handling"),
		Doc: `A tool that does not exist is refused with error -32602.

An unknown name is a mistake of the client's, not an outcome of a tool. Many SDKs answer it with a result that says
isError, which is told as a warning; a result without it makes a client believe that something was done.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", "mcptest-no-such-tool", "arguments", json.RawMessage(`{}`)))
		if err != nil {
			return err
		}
		if ex != nil && ex.Reply.Error == nil && string(At(ex.Reply.Result, "/isError")) == "true" {
			p.Warn(Seen{Exchange: ex, Pointer: "/isError"}, "a tool that does not exist was answered with a result that says isError; want error -32602")
			return nil
		}
		p.wantCode(ex, "a tool that does not exist", mcp.CodeInvalidParams)
		return nil
	},
}

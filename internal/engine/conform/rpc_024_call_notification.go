package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc024 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-024",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#notifications"),
		Doc: `tool call without an ID must not be answered

A message without an ID is a notification. A server that treats it as a request runs a tool whose result is lost, and
sends a response that matches no request.`,
	},
	Needs:   "tools",
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, s, err := p.scratchTools(ctx)
		if err != nil {
			return err
		}
		params := mcp.Object("name", tools[0].Name, "arguments", tools[0].Arguments)
		sent, err := p.SendRaw(ctx, s, `{"jsonrpc":"2.0","method":"tools/call","params":`+p.Params(string(params))+`}`)
		if err != nil {
			return err
		}
		for range 2 { // a server that responds to the first has done so by then, however long its tool runs
			if _, err := p.CallIn(ctx, s, "tools/call", params); err != nil {
				return err
			}
		}
		for _, f := range p.repliesTo(sent) {
			p.Report(Evidence{Subject: tools[0].Name, Frames: []wire.Frame{sent, f}},
				"tools/call without an ID: expected no response, got one")
		}
		return nil
	},
}

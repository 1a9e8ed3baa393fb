package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var log006 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/logging"),
		Doc: `log level of one request must not apply to later requests

In this revision, a client requests log messages with each request, by io.modelcontextprotocol/logLevel in its _meta. A
server that remembers the level of one request sends messages that nobody requested, on a shared server to other users
also. Read the level from the request that is being answered.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		logs := causedNotification("notifications/message")
		for _, c := range done {
			if logs(c) || causedRequest(c) {
				continue // LOG-004 reports a tool that always logs
			}
			call := mcp.Object("name", c.Name, "arguments", c.Arguments)
			asked, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", c.Name, "arguments", c.Arguments, "_meta",
				mcp.Object("io.modelcontextprotocol/logLevel", "debug")))
			if err != nil {
				return err
			}
			if !logs(CallResult{c.Tool, asked}) {
				continue
			}
			later, err := p.CallIn(ctx, s, "tools/call", call)
			if err != nil {
				return err
			}
			sent := slices.IndexFunc(later.Between,
				func(m mcp.Message) bool { return m.Method == "notifications/message" })
			if sent >= 0 {
				p.Report(Evidence{Subject: c.Name, Exchange: later, Frames: []wire.Frame{later.Between[sent].Frame},
					Led: true}, "notifications/message sent during a call without logLevel, after a call with it: "+
					"expected none")
				return nil
			}
		}
		return nil
	},
}

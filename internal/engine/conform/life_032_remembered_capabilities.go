package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life032 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-032",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic#statelessness"),
		Doc: `server must not remember the capabilities of earlier requests

In this revision, each request declares what its client supports. The tool requests input from a request that declares no
capabilities, but only after an earlier request declared them: a client that cannot respond never gets a result. As soon as
there is a proxy in between, the requests come from different clients. Read the capabilities from the request that is being
answered.`,
	},
	Since: spec.July2026,
	On:    OnPipe, // over HTTP, all connections have one memory: MRTR-002 reports it
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.mayAsk(ctx)
		if err != nil || len(tools) == 0 {
			return err
		}
		all, err := p.openCalls(ctx) // its requests declared the capabilities
		if err != nil {
			return err
		}
		for _, t := range tools {
			first, err := p.CallIn(ctx, all.session, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
			if err != nil {
				return err
			}
			if len(questionsOf(CallResult{t, first})) == 0 {
				continue
			}
			later, err := p.CallIn(ctx, all.session, "tools/call", withoutCapabilities(t))
			if err != nil {
				return err
			}
			asked := questionsOf(CallResult{t, later})
			if len(asked) == 0 || p.alwaysAsks(ctx, t) {
				continue
			}
			p.Report(Evidence{Subject: t.Name, Exchange: later, Pointer: asked[0].Pointer, Led: true},
				"result requests %s although the request declares no capabilities, after a request with them: expected "+
					"the same as without that request", asked[0].Method)
		}
		return nil
	},
}

// mayAsk lists the calls that requested input, and calls without their optional arguments: a tool requests what was not
// given.
func (p *CheckContext) mayAsk(ctx context.Context) ([]Tool, error) {
	done, err := p.quick(ctx)
	if err != nil {
		return nil, err
	}
	var tools []Tool
	for _, c := range done {
		if len(tools) == someCalls {
			break
		}
		switch {
		case causedRequest(c):
			tools = append(tools, c.Tool)
		case hasOptionals(c.Tool):
			tools = append(tools, withoutOptionals(c.Tool))
		}
	}
	return tools, nil
}

// withoutCapabilities returns the params of a call that declares no capabilities.
func withoutCapabilities(t Tool) json.RawMessage {
	return mcp.Object("name", t.Name, "arguments", t.Arguments, "_meta",
		mcp.Object("io.modelcontextprotocol/clientCapabilities", json.RawMessage(`{}`)))
}

// alwaysAsks reports whether a tool requests input in a new process that no request declared capabilities to, or does not
// respond there. MRTR-002 reports such a tool.
func (p *CheckContext) alwaysAsks(ctx context.Context, t Tool) bool {
	s, err := p.Open(ctx, noCapabilities)
	if err != nil {
		return true
	}
	ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
	return err != nil || ex.Reply == nil || len(questionsOf(CallResult{t, ex})) > 0
}

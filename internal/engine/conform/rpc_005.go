package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc005 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-005",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic"),
		Doc: `A malformed message does not end the connection.

A frame that is no JSON is refused, with -32700 and the id null, or ignored. A server that exits or falls silent takes every
other request down with it, for one broken byte. A message after a byte order mark may be served or refused; a server that
ends at it is a warning.`,
	},
	Disruptive: true,
	On:         OnPipe,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		err := p.survives(ctx, `{"jsonrpc":"2.0","id":1,"method":`, "a line that is no JSON")
		if err != nil || len(p.findings) > 0 {
			return err
		}
		const what = "a message after a byte order mark"
		sent, err := p.Throw(ctx, p.scratch, "\ufeff"+`{"jsonrpc":"2.0","id":"mcptest-5","method":"`+p.pinged()+`","params":`+p.Params("")+`}`)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, p.scratch); err != nil {
			p.Warn(Seen{Subject: what, Frames: []wire.Frame{sent}}, "after %s the server did not answer any more: %v; want it to go on", what, err)
		}
		return nil
	},
}

// survives throws something at the server and wants it alive after that.
func (p *Pass) survives(ctx context.Context, body, what string) error {
	s, err := p.Scratch(ctx)
	if err != nil {
		return err
	}
	sent, err := p.Throw(ctx, s, body)
	if err != nil {
		return err
	}
	if _, err := p.Alive(ctx, s); err != nil {
		p.Report(Seen{Subject: what, Frames: []wire.Frame{sent}}, "after %s the server did not answer any more: %v; want it to go on", what, err)
	}
	return nil
}

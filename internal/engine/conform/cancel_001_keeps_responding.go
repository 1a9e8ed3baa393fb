package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var cancel001 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `server must keep answering after a cancellation

Some servers stop reading when the cancelled task ends, or answer every later request with the error of the cancelled
one. A user who stops a call expects to continue working.`,
	},
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for n := range 3 {
			if err := p.cancelOne(ctx, s, n); err != nil {
				return err
			}
		}
		ex, err := p.Alive(ctx, s)
		if err != nil {
			p.Report(Evidence{Subject: p.pinged()},
				"after 3 cancelled requests: no response to %s: %s, expected a response", p.pinged(),
				clip.Text(wire.Reason(err), 120))
			return nil
		}
		if ex.Reply.Error != nil {
			p.Report(Evidence{Exchange: ex}, "after 3 cancelled requests: %s failed with error %d, expected a result",
				p.pinged(), ex.Reply.Error.Code)
		}
		return nil
	},
}

// cancelOne sends a request that every server supports and cancels it immediately.
func (p *CheckContext) cancelOne(ctx context.Context, s *mcp.Session, n int) error {
	return p.cancelRequest(ctx, s, fmt.Sprintf("mcptest-cancelled-%d", n), p.pinged(), nil, 0)
}

package conform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var cancel003 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `tool must keep working after one of its calls was cancelled

A user who stops a call continues working. Some servers retain a lock, a flag or a broken connection from the cancelled
call, so that every later call of the tool fails or gets no response. Quick tools are cancelled at once, and the one that
takes longest while its call is in progress.`,
	},
	Needs:   "tools",
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		slow, err := p.slowest(ctx, p.Timeout()/2) // it is repeated, perhaps after the cancelled call
		if err != nil {
			return err
		}
		inProgress := len(slow) > 0 && slow[0].took >= leastInProgress
		tools, err := p.working(ctx)
		if skip := (*errSkip)(nil); err != nil && !(errors.As(err, &skip) && inProgress) {
			return err
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools[:min(len(tools), maxOddTools)] {
			params := mcp.Object("name", t.Name, "arguments", t.Arguments)
			for n := range 2 {
				if err := p.cancelRequest(ctx, s, fmt.Sprintf("mcptest-call-%s-%d", t.Name, n), "tools/call",
					params, 0); err != nil {
					return err
				}
			}
			if p.poisoned(ctx, s, t, nil, "2 cancelled calls") {
				return nil
			}
		}
		if !inProgress {
			return nil
		}
		t := slow[0]
		if err := p.cancelRequest(ctx, s, "mcptest-call-in-progress", "tools/call",
			mcp.Object("name", t.Name, "arguments", t.Arguments), min(t.took/4, maxBeforeCancel)); err != nil {
			return err
		}
		// a server that goes on with the cancelled call may answer the first call after it too late
		again, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
		if err != nil || hasFailed(again) {
			// a call that cannot be stopped may still be in progress
			p.waitUntil(ctx, time.Now().Add(t.took+leastInProgress))
			p.poisoned(ctx, s, t.Tool, nil, "a call that was cancelled while it was in progress")
		}
		return nil
	},
}

// Limits of a call that is cancelled while it is in progress.
const (
	leastInProgress = 200 * time.Millisecond // its duration: shorter calls may end before
	maxBeforeCancel = 300 * time.Millisecond
)

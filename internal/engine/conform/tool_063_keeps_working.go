package conform

import (
	"context"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool063 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-063",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#calling-tools"),
		Doc: `read-only tool must still work after other calls

A call returned a result at first. After the calls of all other checks, the same call with the same arguments fails or gets no
response, twice, while the server still responds. So a call left something behind or used something up: a lock that is not
released when a call fails, a pool without free connections, a flag, a counter. In production, the tool works until the first
user makes such a call. Release locks and connections also if a call fails, and store nothing for a read-only call.

A call that fails is reported as a warning: some servers stop serving an item on purpose. Rate limits and items that no longer exist
are not reported.`,
	},
	Since: spec.March2025,
	Needs: "tools",
	Last:  true, // after the calls of all other checks
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.openCalls(ctx)
		if err != nil {
			return err
		}
		s, err := p.usedSession(ctx)
		if err != nil {
			return err
		}
		for _, failed := range all.stuck {
			if err := p.stillStuck(ctx, all.session, failed); err != nil {
				return err
			}
		}
		tools, err := p.working(ctx)
		if skip := (*errSkip)(nil); err != nil && !(errors.As(err, &skip) && len(all.stuck) > 0) {
			return err
		}
		ends := time.Now().Add(p.round.opts.Timeout)
		for _, t := range tools {
			if time.Now().After(ends) {
				break // a slow server
			}
			if !safety.Reads(t.Definition) {
				continue
			}
			if err := p.callAgain(ctx, s, t); err != nil {
				return err
			}
		}
		return nil
	},
}

// stillStuck reports a tool of which a call that failed at once before gets no response any more, while the server responds: a call
// after it took the time.
func (p *CheckContext) stillStuck(ctx context.Context, s *mcp.Session, failed CallResult) error {
	var late *mcp.TimeoutError
	_, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", failed.Name, "arguments", failed.Arguments))
	switch {
	case err == nil:
		return nil // it was only busy
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(err, &late):
		return err
	}
	if _, err := p.respondsSoon(ctx, s); err == nil {
		p.Report(Evidence{Subject: failed.Name, Exchange: failed.Exchange, Led: true},
			"call after one that failed (%s): expected a response, got none: %s", outcomeOf(failed.Exchange), clip.Text(wire.Reason(late), 200))
	}
	return nil
}

// usedSession returns a session of the process that other checks used: over HTTP any new one, otherwise the shared one.
func (p *CheckContext) usedSession(ctx context.Context) (*mcp.Session, error) {
	if transportOf(p.Target.Transport()) == OnHTTP {
		return p.Open(ctx, nil)
	}
	return p.Session(ctx)
}

// isGone matches errors about an item that no longer exists, or is in use for the moment.
var isGone = lazyregexp.New(`(?i)\bnot found\b|\bno such\b|\bunknown\b|\b(?:does not|doesn't|no longer) exist|\bexpire[sd]?\b|\bbusy\b|\bnot connected\b|\bno (?:open|active)\b|\bclosed\b|\bdeleted\b|\bremoved\b|\bempty\b|\bin progress\b|\balready\b|\btry again\b|\bretry\b`)

// callAgain reports a tool of which a call that returned a result before no longer does, in two tries.
func (p *CheckContext) callAgain(ctx context.Context, s *mcp.Session, t Tool) error {
	var ex *mcp.Exchange
	var late *mcp.TimeoutError
	timeouts := 0
	for range 2 {
		again, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && !hasFailed(again):
			return nil
		case err == nil:
			ex = again
		case errors.As(err, &late):
			timeouts++
		default:
			return err // the server was lost, which is another finding
		}
	}
	const message = "call that returned a result before the other checks: expected a result, got "
	switch {
	case timeouts == 2:
		if _, err := p.respondsSoon(ctx, s); err == nil {
			p.Report(Evidence{Subject: t.Name, Led: true}, message+"no response: %s", clip.Text(wire.Reason(late), 200))
		}
	case timeouts > 0 || limitsCalls(ex) || isGone().MatchString(outcomeOf(ex)):
	default:
		p.Warn(Evidence{Subject: t.Name, Exchange: ex, Led: true}, message+"%s", outcomeOf(ex))
	}
	return nil
}

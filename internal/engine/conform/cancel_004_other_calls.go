package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var cancel004 = &Check{
	Rule: finding.Rule{
		ID:       "CANCEL-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/cancellation#behavior-requirements"),
		Doc: `cancellation must end only the call that it names

Two calls are in progress, and one of them is cancelled. The other one must still get its result. Servers that end
everything when a cancellation arrives leave the other calls of the host without a result until they time out, or fail
them. Typical cause: one AbortController or one cancellation flag for all calls. The tools that take longest are tried:
their calls are still in progress when the cancellation arrives. A call that fails must fail twice, and succeed beside a
call that is not cancelled.`,
	},
	Needs:   "tools",
	On:      OnPipe | OnHTTP,
	Scratch: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.slowest(ctx, p.Timeout()/3)
		if err != nil {
			return err
		}
		if transportOf(p.Target.Transport()) == OnHTTP {
			// a quick call is over before the cancellation arrives in another request
			tools = slices.DeleteFunc(tools, func(t slowTool) bool { return t.took < slowCall })
		}
		if len(tools) == 0 {
			return p.Skip("no callable tool is slow enough to be cancelled")
		}
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			attempts := 2
			if t.took >= slowCall {
				attempts = 1
			}
			for range attempts {
				if found, err := p.cancelsOthers(ctx, s, t); found || err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// cancelsOthers reports a server that ends a call of a tool when another one is cancelled.
func (p *CheckContext) cancelsOthers(ctx context.Context, s *mcp.Session, t slowTool) (found bool, err error) {
	var last *mcp.Exchange
	for range 2 { // a call may fail for other reasons
		last, err = p.beside(ctx, s, t, true)
		if err != nil {
			if _, alive := p.Alive(ctx, s); alive != nil {
				return false, alive
			}
			p.Report(Evidence{Subject: t.Name, Led: true},
				"1 of 2 calls was cancelled: expected a response to the other one, got none: %s",
				clip.Text(wire.Reason(err), 160))
			return true, nil
		}
		if !hasFailed(last) {
			return false, nil
		}
	}
	if alone, err := p.beside(ctx, s, t, false); err != nil || hasFailed(alone) {
		return false, nil // the server does not allow two calls at a time
	}
	p.Report(Evidence{Subject: t.Name, Exchange: last, Led: true},
		"1 of 2 calls was cancelled: expected a result of the other one, as without a cancellation, got %s",
		outcomeOf(last))
	return true, nil
}

// hasFailed reports whether a call failed, with either kind of error.
func hasFailed(ex *mcp.Exchange) bool { return ex.Reply.Error != nil || calls.IsError(ex.Reply.Result) }

// beside calls a tool twice at the same time, cancels the first call or not, and returns the second one; if none is
// cancelled, the one that failed.
func (p *CheckContext) beside(ctx context.Context, s *mcp.Session, t slowTool, cancels bool) (*mcp.Exchange, error) {
	patience := max(p.Timeout(), 4*t.took)
	ctx, end := context.WithTimeoutCause(ctx, patience, p.silent("tools/call", patience))
	defer end()
	if t.took >= slowCall {
		return p.besideSlow(ctx, s, t, cancels)
	}
	n := s.ReserveID()
	first, other := fmt.Sprintf("mcptest-one-%s-%d", t.Name, n), fmt.Sprintf("mcptest-two-%s-%d", t.Name, n)
	call := func(id string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":%s}`, id,
			p.Params(fmt.Sprintf(`{"name":%q,"arguments":%s}`, t.Name, t.Arguments)))
	}
	body := call(first) + "\n" + call(other)
	if cancels {
		body += "\n" + fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled",`+
			`"params":{"requestId":%q,"reason":"a test"}}`, first)
	}
	return refusedByHTTP(s.CallRaw(ctx, json.RawMessage(fmt.Sprintf("%q", other)), []byte(body), nil))
}

// besideSlow is beside for a tool that is slow enough to cancel its call while both are in progress, as hosts do.
func (p *CheckContext) besideSlow(ctx context.Context, s *mcp.Session, t slowTool, cancels bool) (*mcp.Exchange, error) {
	one, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	defer group.Wait()
	var first *mcp.Exchange
	group.Go(func() { first, _ = callWithProgress(one, s, t.Tool, max(p.Timeout(), 4*t.took)) })
	if cancels {
		group.Go(func() {
			select {
			case <-time.After(2 * callStarted):
			case <-ctx.Done():
			}
			cancel()
		})
	}
	other, err := refusedByHTTP(callWithProgress(ctx, s, t.Tool, max(p.Timeout(), 4*t.took)))
	if !cancels {
		if group.Wait(); first != nil && first.Reply != nil && hasFailed(first) {
			return first, nil // the order in which two requests arrive is by chance
		}
	}
	return other, err
}

// A slowTool is a tool with the duration of its sample call.
type slowTool struct {
	Tool
	took time.Duration
}

// slowest lists the tools whose sample call took longest, within a limit, and returned a result.
func (p *CheckContext) slowest(ctx context.Context, most time.Duration) ([]slowTool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	done = slices.DeleteFunc(slices.Clone(done), func(c CallResult) bool {
		return c.Result() == nil || c.Failed() || causedRequest(c) || p.round.limited(c.Name) ||
			c.Exchange.Elapsed > most
	})
	slices.SortStableFunc(done, func(a, b CallResult) int { return cmp.Compare(b.Exchange.Elapsed, a.Exchange.Elapsed) })
	var tools []slowTool
	for _, c := range done[:min(len(done), maxOddTools)] {
		tools = append(tools, slowTool{c.Tool, c.Exchange.Elapsed})
	}
	return tools, nil
}

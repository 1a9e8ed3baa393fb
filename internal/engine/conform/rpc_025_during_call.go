package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc025 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-025",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/utilities/ping#behavior-requirements"),
		Doc: `server should respond while a tool runs

While a slow tool runs, a ping (server/discover from 2026-07-28 on) gets no response until the tool returns. Hosts cannot cancel
the call or make others, and may take the server for dead. Typical cause: a blocking call, such as time.sleep, requests or
execSync, in an async function. Run it in a thread or a child process, or use the asynchronous function of the library.
Only tools whose calls take longer than 300 ms show it; it was seen twice.`,
	},
	Needs: "tools",
	Alone: true, // other requests would delay the response
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.slowTools(ctx)
		if err != nil {
			return err
		}
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		for _, t := range tools {
			var last *pingDuringCall
			for range 2 { // a busy machine is not slow twice in this way
				if last, err = p.pingDuring(ctx, s, t); err != nil || !last.blocked() {
					break
				}
			}
			if err != nil {
				return err
			}
			if last.blocked() {
				p.Report(Evidence{Subject: t.Name, Exchange: last.ping, Led: true},
					"%s during a call got no response for %s, until the call ended; expected one at once, as without a "+
						"call (%s)", p.pinged(), last.ping.Elapsed.Round(100*time.Millisecond),
					last.idle.Round(time.Millisecond))
				return nil
			}
		}
		return nil
	},
}

// Limits of requests during a slow call.
const (
	slowCall    = 300 * time.Millisecond // the shortest call that counts as slow
	minBlocked  = 250 * time.Millisecond // the shortest delay that is reported
	callStarted = 50 * time.Millisecond  // how long after a call the other request is sent
)

// slowTools lists the tools whose first call was slow: more than one, since a first call may be slow for other reasons.
func (p *CheckContext) slowTools(ctx context.Context) ([]Tool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var slow []Tool
	for _, c := range done {
		if c.Exchange.Elapsed >= slowCall && c.Result() != nil && !c.Failed() && !causedRequest(c) &&
			!p.round.limited(c.Name) && len(slow) < maxSlowTools {
			slow = append(slow, c.Tool)
		}
	}
	if len(slow) == 0 {
		return nil, p.Skip("no tool that may be called is slow")
	}
	return slow, nil
}

// A pingDuringCall is a request that was sent while a slow tool ran.
type pingDuringCall struct {
	idle time.Duration // how long the same request takes without a call
	ping *mcp.Exchange
	left time.Duration // how long the call ran after the request was sent; 0 if it was still running after the response
}

// blocked reports whether the request was answered only when the call had ended.
func (b *pingDuringCall) blocked() bool {
	return b.left >= minBlocked && b.ping.Elapsed >= b.left*9/10 && b.idle < b.left/4
}

// pingDuring calls a tool and sends another request shortly afterwards.
func (p *CheckContext) pingDuring(ctx context.Context, s *mcp.Session, t Tool) (*pingDuringCall, error) {
	before, err := p.Alive(ctx, s)
	if err != nil {
		return nil, err
	}
	b := &pingDuringCall{idle: before.Elapsed}
	calling, cancel := context.WithCancel(ctx)
	ended := make(chan time.Time, 1)
	go func() {
		_, _ = callWithProgress(calling, s, t, p.Timeout())
		ended <- time.Now()
	}()
	p.waitUntil(ctx, time.Now().Add(callStarted))
	sent := time.Now()
	b.ping, err = p.Alive(ctx, s)
	if err != nil || b.ping.Elapsed < minBlocked {
		cancel()
		<-ended
		return b, err
	}
	b.left = (<-ended).Sub(sent)
	cancel()
	return b, nil
}

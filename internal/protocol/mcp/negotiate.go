package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// lateGrace is how long initialize may still be pending once server/discover has a late response.
const lateGrace = time.Second

// A sentRequest is a request that a negotiation has sent.
type sentRequest struct {
	*call
	exchange *Exchange
	start    time.Time
}

// result returns the exchange of a request that is done.
func (r *sentRequest) result() (*Exchange, error) {
	r.exchange.finish(r.call, r.start)
	return r.exchange, r.err
}

// A negotiation detects which era a process supports, on the connection that is then used. Any response to
// server/discover decides. If a process has read it and does not respond, initialize is also sent; then the
// first response decides, so that the revision does not depend on the speed of the server.
type negotiation struct {
	session    *Session
	within     time.Duration
	expired    chan timeout.Expiry
	discover   *sentRequest
	initialize *sentRequest // nil as long as it is not sent
	silence    time.Duration
}

// negotiate decides the era of a process.
func (s *Session) negotiate(ctx context.Context) (revisionChoice, error) {
	s.speakToProbe()
	s.setNegotiating(true)
	defer s.setNegotiating(false)
	n := &negotiation{session: s, within: s.startTimeout(), expired: make(chan timeout.Expiry, 1)}
	timer := timeout.New(n.within, func(e timeout.Expiry) { n.expired <- e })
	defer timer.Stop()
	c, err := n.run(ctx)
	c.lastID = s.ReserveID()
	return c, err
}

func (s *Session) setNegotiating(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.negotiating = on
}

func (n *negotiation) run(ctx context.Context) (c revisionChoice, err error) {
	if n.discover, err = n.send(ctx, Request{Method: "server/discover", Timeout: n.within}); err != nil {
		return revisionChoice{}, err
	}
	defer func() { n.session.end(n.discover.call, "was replaced by initialize", nil) }()
	watch := n.session.watchSilence(n.within)
	defer watch.stop()
	select {
	case <-n.discover.done:
		return n.discovered(ctx)
	case n.silence = <-watch.silent:
	case e := <-n.expired:
		return revisionChoice{}, n.timedOut(n.discover, e)
	case <-ctx.Done():
		return revisionChoice{}, context.Cause(ctx)
	}
	n.session.setNegotiated(spec.NewestLegacy)
	if n.initialize, err = n.send(ctx, n.session.initializeRequest()); err != nil {
		return n.unsent(ctx, err)
	}
	return n.awaitEither(ctx)
}

// unsent decides if initialize could not be sent: the process exits, which also ends server/discover.
func (n *negotiation) unsent(ctx context.Context, err error) (revisionChoice, error) {
	n.initialize = nil
	select {
	case <-n.discover.done:
		return n.discovered(ctx)
	case <-n.expired:
		return revisionChoice{}, err
	case <-ctx.Done():
		return revisionChoice{}, context.Cause(ctx)
	}
}

// awaitEither waits for the first response to one of the two requests. A server that responds in order and
// supports server/discover responds to that first, however late.
func (n *negotiation) awaitEither(ctx context.Context) (revisionChoice, error) {
	select {
	case <-n.discover.done:
		return n.discovered(ctx)
	case <-n.initialize.done:
		select {
		case <-n.discover.done: // it arrived first
			return n.discovered(ctx)
		default:
		}
		return n.initialized(fmt.Sprintf("no response to server/discover within %v, so the handshake is used",
			roundDuration(n.silence)))
	case e := <-n.expired:
		return revisionChoice{}, n.timedOut(n.initialize, e)
	case <-ctx.Done():
		return revisionChoice{}, context.Cause(ctx)
	}
}

// discovered decides by the response to server/discover, or by the exit of the process.
func (n *negotiation) discovered(ctx context.Context) (revisionChoice, error) {
	ex, err := n.discover.result()
	if err != nil && n.session.Err() != nil {
		return n.failed(err)
	}
	c := evaluateProbe(ex, err)
	switch {
	case n.initialize == nil:
		return c, nil
	case spec.EraOf(c.revision) == spec.Modern:
		return n.discoveredLate(ctx, c)
	}
	select {
	case <-n.initialize.done:
		return n.initialized(c.why)
	case e := <-n.expired:
		return revisionChoice{}, n.timedOut(n.initialize, e)
	case <-ctx.Done():
		return revisionChoice{}, context.Cause(ctx)
	}
}

// discoveredLate continues in the modern era although initialize was sent. A server may have bound the
// connection to the handshake, so it is probed once more; if it has, it is started again.
func (n *negotiation) discoveredLate(ctx context.Context, c revisionChoice) (revisionChoice, error) {
	select {
	case <-n.initialize.done:
	case <-time.After(lateGrace):
		n.session.end(n.initialize.call, "was replaced by server/discover", nil)
	case <-ctx.Done():
		return revisionChoice{}, context.Cause(ctx)
	}
	n.session.speakToProbe()
	ex, err := n.session.roundTrip(ctx, Request{Method: "server/discover", Timeout: n.within})
	if ctx.Err() != nil {
		return revisionChoice{}, context.Cause(ctx)
	}
	if c.discovered = ex; err != nil || ex.Reply.Error != nil {
		return revisionChoice{revision: c.revision, why: c.why, restart: true}, nil
	}
	return c, nil
}

// initialized decides for the handshake, which is complete.
func (n *negotiation) initialized(why string) (revisionChoice, error) {
	ex, err := n.initialize.result()
	if err != nil {
		return n.failed(err)
	}
	return revisionChoice{revision: spec.NewestLegacy, why: why, guess: true, initialized: ex}, nil
}

// failed decides what to do about a closed connection: a process that has read the probe and exited is started
// again with initialize. One that has not read it exited for another reason.
func (n *negotiation) failed(err error) (revisionChoice, error) {
	child, isProcess := n.session.conn.(wire.Child)
	if n.session.Err() == nil || isProcess && n.initialize == nil && child.Activity() == wire.NotReading {
		return revisionChoice{}, err
	}
	why := fmt.Sprintf("the server exited on server/discover (%v), so the handshake is used", reasonFor(err))
	return revisionChoice{revision: spec.NewestLegacy, why: why, guess: true, restart: true}, nil
}

func (n *negotiation) send(ctx context.Context, r Request) (*sentRequest, error) {
	start := time.Now()
	c, ex, err := n.session.send(ctx, r)
	return &sentRequest{call: c, exchange: ex, start: start}, err
}

// timedOut returns the error of a server that has not responded in time.
func (n *negotiation) timedOut(r *sentRequest, e timeout.Expiry) error {
	n.session.end(r.call, "timed out", n.session.startError(r.method, e.After))
	return r.err
}

package mcp

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// transmit sends the frame of a call within its timeout: a server may have stopped reading. Over HTTP the lock
// is held meanwhile, so that its stream is known before anything can arrive on it; sending does not block
// there.
func (s *Session) transmit(ctx context.Context, c *call, within time.Duration, f wire.Frame) (wire.Frame, error) {
	if _, ok := s.conn.(wire.Streamer); !ok {
		within = s.timeoutOr(within)
		limited, cancel := timeout.Lazily(ctx, within)
		defer cancel()
		sent, err := s.conn.Send(limited, f)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			err = s.timeoutError(&TimeoutError{Method: c.method, After: within, Unsent: true})
		}
		return sent, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sent, err := s.conn.Send(ctx, f)
	c.stream = sent.Stream
	// the session may have been renewed after the header was made
	if id := f.Header.Get(sessionHeader); id == s.negotiated.Load().sessionID || slices.Contains(s.formerIDs, id) {
		c.sessionID = id
	}
	s.byStream[sent.Stream] = c
	return sent, err
}

// await waits for the response until the request times out or is cancelled. The server is then notified.
func (s *Session) await(ctx context.Context, c *call, r Request) error {
	expired := make(chan timeout.Expiry, 1)
	timer := s.startTimer(c, s.timeoutOr(r.Timeout), func(e timeout.Expiry) { expired <- e })
	defer timer.Stop()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		s.cancelPending(c, "was cancelled", context.Cause(ctx))
	case e := <-expired:
		s.cancelPending(c, "timed out", s.timeoutError(&TimeoutError{Method: c.method, After: e.After, Hard: e.Hard}))
	}
	<-c.done
	return c.err
}

// timeoutOr returns the timeout of a request, or the session's if it is not set.
func (s *Session) timeoutOr(own time.Duration) time.Duration {
	if own > 0 {
		return own
	}
	return s.opts.timeout()
}

// end finishes a call that is no longer awaited.
func (s *Session) end(c *call, how string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked(c, how, err)
}

func (s *Session) endLocked(c *call, how string, err error) {
	if s.pending[c.id] != c {
		return
	}
	delete(s.pending, c.id)
	delete(s.byStream, c.stream)
	delete(s.byToken, c.token)
	delete(s.byOwnID, c.ownID)
	s.rememberEnd(c.id, how)
	c.err = s.withOutputLocked(c, c.withUnmatched(err))
	close(c.done)
}

// rememberEnd stores for a while how a request ended.
func (s *Session) rememberEnd(id int64, how string) {
	s.ended[id] = how
	s.endedRing = append(s.endedRing, id)
	if len(s.endedRing) > 2*maxEnded {
		for _, old := range s.endedRing[:maxEnded] {
			delete(s.ended, old)
		}
		s.endedRing = append([]int64(nil), s.endedRing[maxEnded:]...)
	}
}

// cancelPending abandons a call and notifies the server as its era requires.
func (s *Session) cancelPending(c *call, how string, err error) {
	s.mu.Lock()
	under := s.pending[c.id] == c
	stream := c.stream
	s.endLocked(c, how, err)
	s.mu.Unlock()
	if !under {
		return
	}
	streams, overHTTP := s.conn.(wire.Streamer)
	if c.method != "initialize" && c.method != "ping" && (!overHTTP || s.Era != spec.Modern) {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		_ = s.Notify(ctx, "notifications/cancelled", Object("requestId", c.id, "reason", "the client "+reasonOf(how)))
	}
	if overHTTP && stream != "" {
		streams.Cut(stream)
	}
}

func reasonOf(how string) string {
	if how == "timed out" {
		return "timed out"
	}
	return "cancelled the request"
}

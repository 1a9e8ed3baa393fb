package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// startFactor is how much longer than the probe itself a process may take to give its first sign of life.
const startFactor = 2

// pingGrace is how long we wait for the answer to server/discover once the server has answered a later ping.
const pingGrace = time.Second

// siblingGrace is how long each step of ending the probed process may take: nobody needs it any more.
const siblingGrace = 300 * time.Millisecond

// probe asks the server which era it speaks. A process is asked in a sibling that is thrown away, because some servers
// exit on a method that they do not know; an HTTP server is asked on the connection that is then used.
func probe(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options) (choice, error) {
	sibling := target
	sibling.Stream = "stdio-probe"
	sibling.Grace = siblingGrace
	conn, err := wire.Dial(ctx, sibling, log)
	if err != nil {
		return choice{}, err
	}
	quiet := *o
	quiet.LogLevel = "" // a refusal of it would say nothing about the era
	s := newSession(conn, target, log, &quiet)
	s.speak(NewestModern)
	s.setProbing(true)
	start := time.Now()
	ex, why := s.askEra(ctx)
	if ctx.Err() != nil {
		_ = s.Close()
		return choice{}, context.Cause(ctx)
	}
	c := judgeProbe(ex, why)
	if _, overHTTP := conn.(wire.Streamer); overHTTP {
		s.setProbing(false)
		if err := hopeless(why); err != nil {
			_ = s.Close()
			return choice{}, err
		}
		s.opts.LogLevel = o.LogLevel
		c.session = s
		return c, nil
	}
	c.silence = silence(start, why)
	c.sibling = dispose(s)
	return c, nil
}

// silence is how long a server was waited for in vain.
func silence(since time.Time, failure error) time.Duration {
	if !errors.Is(failure, context.DeadlineExceeded) {
		return 0
	}
	return time.Since(since)
}

func (s *Session) setProbing(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.probing = on
}

// dispose closes the probed session in the background and returns a function that waits for that.
func dispose(s *Session) func() {
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Close() }()
	return func() { <-done }
}

// askEra sends server/discover, and over stdio a ping behind it: a server that answers the second but not the first is
// alive and ignores what it does not know.
func (s *Session) askEra(ctx context.Context) (*Exchange, error) {
	patience := min(startFactor*s.opts.probeTimeout(), s.opts.timeout())
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if _, overHTTP := s.conn.(wire.Streamer); overHTTP {
		return s.roundTrip(ctx, Request{Method: "server/discover", Timeout: min(s.opts.timeout(), timeout.Handshake)})
	}
	silent := &TimeoutError{Method: "server/discover", After: patience}
	timer := time.AfterFunc(patience, func() { cancel(silent) })
	defer timer.Stop()
	s.wg.Go(func() {
		if _, err := s.roundTrip(ctx, Request{Method: "ping", Timeout: patience}); err == nil {
			timer.Reset(min(pingGrace, patience))
		}
	})
	return s.roundTrip(ctx, Request{Method: "server/discover", Timeout: patience})
}

// judgeProbe tells the era from what the probe brought.
func judgeProbe(ex *Exchange, failure error) choice {
	legacy := func(format string, args ...any) choice {
		return choice{revision: NewestLegacy, why: fmt.Sprintf(format, args...), guess: true}
	}
	if refusal := refusalByStatus(failure); refusal != nil {
		ex, failure = &Exchange{Reply: refusal}, nil
	}
	if failure != nil {
		return legacy("server/discover brought no answer (%v), so the older handshake is used", reasonFor(failure))
	}
	supported := supportedVersions(ex.Reply)
	revision, modern := newestModern(supported)
	switch e := ex.Reply.Error; {
	case e == nil && modern:
		return choice{revision: revision, why: "server/discover lists " + revision, greeting: ex}
	case e == nil && len(supported) > 0:
		return legacy("server/discover lists only %s, so the older handshake is used", strings.Join(supported, ", "))
	case e == nil:
		return legacy("server/discover was answered without supportedVersions, so the older handshake is used")
	case e.Code == CodeUnsupportedVersion && modern:
		return choice{revision: revision, why: fmt.Sprintf("the server refused the version and supports %s", revision)}
	case e.Code == CodeUnsupportedVersion && len(supported) > 0:
		return legacy("the server supports only %s, so the older handshake is used", strings.Join(supported, ", "))
	case e.Code == CodeHeaderMismatch, e.Code == CodeMissingCapability:
		return choice{revision: NewestModern, why: fmt.Sprintf("server/discover was refused with %d, a code of the modern era", e.Code)}
	default:
		return legacy("server/discover was answered with error %d, so the older handshake is used", e.Code)
	}
}

// reasonFor shortens a failure to what matters for the choice.
func reasonFor(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// hopeless is the failure of an HTTP probe after which another handshake would fail in the same way.
func hopeless(failure error) error {
	var status *wire.StatusError
	var timeout *TimeoutError
	switch {
	case failure == nil, errors.As(failure, &timeout), errors.Is(failure, ErrOutcomeUnknown):
		return nil
	case errors.As(failure, &status):
		if status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden {
			return failure
		}
		return nil
	}
	return failure
}

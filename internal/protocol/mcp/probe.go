package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// probeHTTP sends server/discover to an HTTP server to detect its era, on the connection that is then used.
func probeHTTP(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options) (revisionChoice, error) {
	conn, err := wire.Dial(ctx, target, log)
	if err != nil {
		return revisionChoice{}, err
	}
	s := newSession(conn, target, log, o)
	s.speakToProbe()
	s.setProbing(true)
	ex, failure := s.roundTrip(ctx, Request{Method: "server/discover", Timeout: s.startTimeout()})
	s.setProbing(false)
	s.opts.LogLevel = o.LogLevel
	err = isFatalProbeError(failure)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = s.Close()
		return revisionChoice{}, err
	}
	c := evaluateProbe(ex, failure)
	c.session = s
	return c, nil
}

// speakToProbe makes the session use the newest revision, without a log level: an error about that would not
// depend on the era.
func (s *Session) speakToProbe() {
	s.opts.LogLevel = ""
	s.setNegotiated(spec.NewestModern)
}

func (s *Session) setProbing(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.probing = on
}

// evaluateProbe returns the era that the response to server/discover, or its absence, indicates.
func evaluateProbe(ex *Exchange, failure error) revisionChoice {
	legacy := func(format string, args ...any) revisionChoice {
		return revisionChoice{revision: spec.NewestLegacy, why: fmt.Sprintf(format, args...), guess: true}
	}
	if refusal := refusalByStatus(failure); refusal != nil {
		ex, failure = &Exchange{Reply: refusal}, nil
	}
	if failure != nil {
		return legacy("no response to server/discover (%v), so the handshake is used", reasonFor(failure))
	}
	supported := supportedVersions(ex.Reply)
	revision, modern := newestModern(supported)
	switch e := ex.Reply.Error; {
	case e == nil && modern:
		return revisionChoice{revision: revision, why: "server/discover lists " + revision, discovered: ex}
	case e == nil && len(supported) > 0:
		return legacy("server/discover lists only %s, so the handshake is used", strings.Join(supported, ", "))
	case e == nil:
		return legacy("the response to server/discover has no supportedVersions, so the handshake is used")
	case e.Code == CodeUnsupportedVersion && modern:
		return revisionChoice{revision: revision, why: "the server rejected the version and supports " + revision}
	case e.Code == CodeUnsupportedVersion && len(supported) > 0:
		return legacy("the server supports only %s, so the handshake is used", strings.Join(supported, ", "))
	case e.Code == CodeHeaderMismatch, e.Code == CodeMissingCapability:
		return revisionChoice{revision: spec.NewestModern,
			why: fmt.Sprintf("server/discover returned error %d, which only 2026-07-28 defines", e.Code)}
	default:
		return legacy("server/discover returned error %d, so the handshake is used", e.Code)
	}
}

// reasonFor shortens an error to what matters for the choice.
func reasonFor(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// isFatalProbeError reports whether an HTTP probe failed in a way in which a handshake would also fail.
func isFatalProbeError(failure error) error {
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

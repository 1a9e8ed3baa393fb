package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A SessionExpiredError reports that the server does not recognize the HTTP session of a request. It did not
// execute the request.
type SessionExpiredError struct {
	Renewal error             // why no new session could be started; nil if it was not tried
	Err     *wire.StatusError // what the server sent
}

// Error returns what happened.
func (e *SessionExpiredError) Error() string {
	text := "session expired: the server does not recognize its ID (HTTP 404)"
	if e.Renewal != nil {
		text += fmt.Sprintf("; starting a new one failed: %v", e.Renewal)
	}
	return text
}

// Unwrap returns the HTTP status.
func (e *SessionExpiredError) Unwrap() error { return e.Err }

func isExpired(err error) bool {
	var e *SessionExpiredError
	return errors.As(err, &e)
}

// sessionHeader is the header with the session ID of a request.
const sessionHeader = "Mcp-Session-Id"

// isRepeatable lists the requests that may be repeated in a new session: they change nothing.
var isRepeatable = map[string]bool{"ping": true, "tools/list": true, "resources/list": true,
	"resources/templates/list": true,
	"prompts/list":             true, "resources/read": true, "prompts/get": true, "completion/complete": true,
	"skills/list": true, "skills/get": true, "resources/directory/read": true}

// endsSession reports whether an HTTP response means that the session of a request has expired. Some servers
// respond to an unknown method with the same status, as a response to the request.
func (s *Session) endsSession(f wire.Frame) bool {
	if f.Status != http.StatusNotFound {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.byStream[f.Stream]
	return c != nil && c.lostSession(f)
}

func (c *call) lostSession(f wire.Frame) bool {
	if f.Status != http.StatusNotFound || c.sessionID == "" {
		return false
	}
	m := Read(f)
	return m.Error == nil || m.Error.Code != CodeMethodNotFound || IDKey(m.ID) != c.wireID()
}

// afterExpiry starts a new session, and repeats a request that failed because the old one has expired if it
// changes nothing.
func (s *Session) afterExpiry(ctx context.Context, r Request, ex *Exchange, failure error) (*Exchange, error) {
	if failure == nil {
		return ex, nil
	}
	var expired *SessionExpiredError
	if !errors.As(failure, &expired) {
		return ex, failure
	}
	if !isRepeatable[r.Method] {
		s.expired()
		return ex, failure
	}
	old := ex.Request.Frame
	if expired.Renewal = s.renew(ctx, old.Header.Get(sessionHeader)); expired.Renewal != nil {
		s.expired()
		return ex, failure
	}
	notice := Notice{Frame: old.Seq, Text: "the session had expired (HTTP 404); a new one was started and " + r.Method +
		" was repeated"}
	s.notice(notice.Frame, "%s", notice.Text)
	again, err := s.roundTrip(ctx, r)
	if again != nil {
		again.Notices = append([]Notice{notice}, again.Notices...)
	}
	if isExpired(err) {
		s.expired()
	}
	return again, err
}

// expired notifies the owner of the session that it can no longer be used.
func (s *Session) expired() {
	if s.opts.OnExpired != nil {
		s.opts.OnExpired()
	}
}

// renew starts a new session to replace an expired one, unless another request has done so.
func (s *Session) renew(ctx context.Context, old string) error {
	select {
	case s.renewing <- struct{}{}:
		defer func() { <-s.renewing }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	now := *s.negotiated.Load()
	if now.sessionID != old {
		return nil
	}
	params := Object("protocolVersion", now.version, "capabilities", s.caps, "clientInfo", s.opts.Client)
	ex, err := s.roundTrip(ctx, Request{Method: "initialize", Params: params, Timeout: s.startTimeout(),
		Header: http.Header{sessionHeader: nil}})
	if err != nil {
		return err
	}
	if ex.Reply.Error != nil {
		return ex.Reply.Error
	}
	if version := text(ex.Reply.Result, "protocolVersion"); version != now.version {
		return fmt.Errorf("version of the new session: got %q, expected %s as in the old one", version, now.version)
	}
	now.sessionID = ex.Header.Get(sessionHeader)
	s.mu.Lock()
	s.formerIDs = append(s.formerIDs, old)
	s.negotiated.Store(&now)
	s.mu.Unlock()
	if err := s.Notify(ctx, "notifications/initialized", nil); err != nil {
		return err
	}
	streams := s.conn.(wire.Streamer)
	s.mu.Lock()
	silent := s.getStream.stream
	s.getStream = getStream{}
	s.mu.Unlock()
	streams.Cut(silent)
	s.awaitStream(ctx, streams.Opened(s.listen(streams)))
	s.restoreLogLevel(ctx)
	return nil
}

// restoreLogLevel sets the log level of the old session in the new one.
func (s *Session) restoreLogLevel(ctx context.Context) {
	if s.opts.LogLevel == "" || !s.Declares("logging") {
		return
	}
	params := Object("level", json.RawMessage(rawjson.Quote(s.opts.LogLevel)))
	_, _ = s.roundTrip(ctx, Request{Method: "logging/setLevel", Params: params})
}

package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An UnmatchedError is the failure of a request for which the server sent a response, but none with the ID of the
// request.
type UnmatchedError struct {
	ID  string   // of the request
	Got *Message // the last response without it
	Err error    // what ended the request: a timeout, an HTTP status; nil if the exchange ended without a response
}

// Error returns which response arrived, and what ended the request.
func (e *UnmatchedError) Error() string {
	got := "the server sent " + describeResponse(e.Got)
	if !isNull(e.Got.ID) {
		got += "; expected id " + e.ID
	}
	var status *wire.StatusError
	switch {
	case e.Err == nil:
		return got
	case errors.As(e.Err, &status): // its own text would repeat the body
		return fmt.Sprintf("HTTP %d %s: %s", status.Status, http.StatusText(status.Status), got)
	}
	return fmt.Sprintf("%v; %s", e.Err, got)
}

// Unwrap returns what ended the request.
func (e *UnmatchedError) Unwrap() error { return e.Err }

// describeResponse describes a response by its ID and, if it is an error, its message.
func describeResponse(m *Message) string {
	kind, text := "a result", ""
	switch {
	case m.Error != nil:
		kind, text = "an error", fmt.Sprintf(": %d %.300s", m.Error.Code, m.Error.Message)
	case m.Result == nil:
		kind = "a response"
	}
	if m.ID == nil {
		return kind + " without id" + text
	}
	return fmt.Sprintf("%s with id %.80s%s", kind, m.ID, text)
}

// isNull reports whether a response has no ID.
func isNull(id json.RawMessage) bool { return id == nil || string(id) == "null" }

// unmatchedLocked records a response that matches no request in flight, and attaches it to the request that it
// was probably meant for. It completes nothing.
func (s *Session) unmatchedLocked(m *Message) {
	c := s.meantLocked(m)
	if m.Frame.Err != nil && m.ID == nil { // truncated before its ID: there is nothing to wait for
		if c != nil {
			s.endLocked(c, "was answered", s.unusable(m))
		}
		return
	}
	id, _ := asInteger(m.ID)
	var text string
	switch {
	case c != nil && isNull(m.ID):
		text = fmt.Sprintf("%s while request %s (%s) is in flight; expected id %s", describeResponse(m), c.wireID(),
			c.method, c.wireID())
	case c != nil:
		text = fmt.Sprintf("%s; expected id %s, the same type and value", describeResponse(m), c.wireID())
	case s.ended[id] != "":
		text = fmt.Sprintf("%s, of a request that %s before", describeResponse(m), s.ended[id])
	default:
		text = describeResponse(m) + ", which matches no request"
	}
	s.noticeLocked(m.Frame.Seq, "%s", text)
	if c == nil {
		return
	}
	c.unmatched = m
	if len(c.notices) < maxNotices {
		c.notices = append(c.notices, Notice{Text: text, Frame: m.Frame.Seq})
	}
	failure := &wire.Error{Target: s.target.String(), Doing: "call", Hint: unmatchedHint,
		Err: &UnmatchedError{ID: c.wireID(), Got: m}}
	switch {
	case m.Frame.Status >= 400: // the status ends the request
	case s.negotiating && c.method == "server/discover" && m.Error != nil: // any error selects the handshake
		s.endLocked(c, "was answered", failure)
	case s.opts.FailUnmatched && s.loose == nil: // nothing else was sent that it may refer to
		s.endLocked(c, "was abandoned", failure)
	case isHandshake(c.method) && !isNull(m.ID):
		s.wg.Go(func() { s.giveUp(c, failure) })
	}
}

// meantLocked returns the call that a response without its ID is probably for: the one of its HTTP exchange,
// the one whose ID it has in another type, or over a pipe the only one in flight if it has no ID.
func (s *Session) meantLocked(m *Message) *call {
	if c := s.byStream[m.Frame.Stream]; c != nil {
		return c
	}
	if n, ok := asInteger(m.ID); ok {
		return s.pending[n]
	}
	if isNull(m.ID) && len(s.pending) == 1 && onPipe(m.Frame) {
		for _, only := range s.pending {
			return only
		}
	}
	return nil
}

// asInteger parses an integer in any notation: as a number, as a fraction or as a string.
func asInteger(raw json.RawMessage) (int64, bool) {
	text := string(raw)
	if inner := ""; json.Unmarshal(raw, &inner) == nil && inner != "" {
		text = inner
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == float64(int64(f)) {
		return int64(f), true
	}
	return 0, false
}

// refusalByStatus returns the error of an HTTP error status whose body has no ID, which the transport allows;
// nil if err is something else.
func refusalByStatus(err error) *Message {
	var e *UnmatchedError
	var status *wire.StatusError
	if errors.As(err, &e) && errors.As(e.Err, &status) && status.Status >= 400 && e.Got.Error != nil &&
		isNull(e.Got.ID) {
		return e.Got
	}
	return nil
}

// wireID returns the ID of the request as it was sent.
func (c *call) wireID() string {
	if c.ownID != "" {
		return c.ownID
	}
	return strconv.FormatInt(c.id, 10)
}

// withUnmatched adds to the error of a call which response the server sent instead of its own.
func (c *call) withUnmatched(err error) error {
	if c.unmatched == nil {
		return err
	}
	var e *wire.Error
	if !errors.As(err, &e) {
		return err
	}
	var known *UnmatchedError
	if errors.As(err, &known) {
		return err
	}
	failure := *e
	failure.Err = &UnmatchedError{ID: c.wireID(), Got: c.unmatched, Err: e.Err}
	var status *wire.StatusError
	if !errors.As(e.Err, &status) || status.Status < 400 {
		failure.Hint = unmatchedHint
	}
	return &failure
}

// unmatchedHint is what to do about a server whose responses do not match a request.
const unmatchedHint = "a response must have the id of its request, same type and value; without it clients wait " +
	"until their timeout"

func isHandshake(method string) bool { return method == "initialize" || method == "server/discover" }

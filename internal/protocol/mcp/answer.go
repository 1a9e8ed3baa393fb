package mcp

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// deliverResponse delivers a response to the request with exactly its ID, once. Any other response is recorded and
// completes nothing.
func (s *Session) deliverResponse(m *Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.callLocked(m.ID)
	switch {
	case c != nil:
		c.reply = m
		s.endLocked(c, "was answered", s.unusable(m))
		s.lingerLocked(c, m.Frame)
	case s.looseLocked(m):
	default:
		s.unmatchedLocked(m)
	}
}

// callLocked returns the call in flight that has the ID: same type, same value.
func (s *Session) callLocked(id json.RawMessage) *call {
	if len(s.byOwnID) > 0 {
		if c := s.byOwnID[spelling(id)]; c != nil {
			return c
		}
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		return nil
	}
	if c := s.pending[n]; c != nil && c.ownID == "" {
		return c
	}
	return nil
}

// looseLocked reports whether a response is to the last raw frame that no caller awaits a response to. A server
// that cannot parse a frame responds with ID null.
func (s *Session) looseLocked(m *Message) bool {
	at := slices.Index(s.loose, spelling(m.ID))
	if len(m.ID) == 0 {
		at = slices.Index(s.loose, "null")
	}
	if at >= 0 {
		s.loose = slices.Delete(s.loose, at, at+1)
	}
	return at >= 0
}

// expectRawResponses records which IDs the responses to a raw frame may have.
func (s *Session) expectRawResponses(m *Message) {
	ids := []string{"null"}
	for _, one := range append([]Message{*m}, m.Rest...) {
		if len(one.ID) > 0 && string(one.ID) != "null" {
			ids = append(ids, spelling(one.ID))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loose = ids
}

// An InvalidResponse is the error of a response that is not valid JSON or JSON-RPC. The connection remains usable.
type InvalidResponse struct{ Problem string }

func (e *InvalidResponse) Error() string { return "invalid response: " + e.Problem }

// unusable returns why a response cannot be used at all.
func (s *Session) unusable(m *Message) error {
	if m.IsResponse() {
		return nil
	}
	cause := errors.New("the response is not a JSON-RPC message")
	if m.Frame.Err != nil {
		cause = m.Frame.Err
	} else if len(m.Odd) > 0 {
		cause = &InvalidResponse{Problem: m.Odd[0]}
	}
	return &wire.Error{Target: s.target.String(), Doing: "read from", Err: cause}
}

// spelling returns the normalized form of an ID for lookups: the same string is the same ID, regardless of
// escapes.
func spelling(id json.RawMessage) string {
	var text string
	if len(id) == 0 || id[0] != '"' || json.Unmarshal(id, &text) != nil {
		return string(id)
	}
	return strconv.Quote(text)
}

// IDKey returns the normalized form of an ID: two IDs have the same key if they have the same type and value.
func IDKey(id json.RawMessage) string { return spelling(id) }

// onPipe reports whether a frame went over the pipes of a process and not through an HTTP exchange.
func onPipe(f wire.Frame) bool { return strings.HasPrefix(f.Stream, string(wire.Stdio)) }

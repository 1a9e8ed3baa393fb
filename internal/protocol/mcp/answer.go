package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// answered gives an answer to the call that waits for it, once.
func (s *Session) answered(m *Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, retyped := s.match(m)
	c := s.pending[id]
	switch {
	case c == nil && s.looseLocked(m):
	case c == nil && s.ended[id] != "":
		s.noticeLocked(m.Frame.Seq, "an answer to request %d, which %s before", id, s.ended[id])
	case c == nil:
		s.noticeLocked(m.Frame.Seq, "an answer to %s, which nobody asked", orAbsent(string(m.ID)))
	default:
		if retyped != "" {
			m.Odd = append(m.Odd, retyped)
			s.noticeLocked(m.Frame.Seq, "%s", retyped)
		}
		c.reply = m
		s.endLocked(c, "was answered", s.unusable(m))
		s.lingerLocked(c, m.Frame)
	}
}

// looseLocked reports whether an answer is to the last frame that was sent as it is and that nobody awaits an answer to. A
// server that cannot read a frame answers to null.
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

// loosened remembers what the answers to a frame that is sent as it is would be to.
func (s *Session) loosened(m *Message) {
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

// unusable is why an answer that arrived cannot be used at all.
func (s *Session) unusable(m *Message) error {
	if m.IsResponse() {
		return nil
	}
	cause := errors.New("the answer is not a JSON-RPC message")
	if m.Frame.Err != nil {
		cause = m.Frame.Err
	} else if len(m.Odd) > 0 {
		cause = fmt.Errorf("the answer cannot be read: %s", m.Odd[0])
	}
	return &wire.Error{Target: s.target.String(), Doing: "read from", Err: cause}
}

// spelling is how an id is kept to be found again: the same text is the same id, however its sender escapes it.
func spelling(id json.RawMessage) string {
	var text string
	if len(id) == 0 || id[0] != '"' || json.Unmarshal(id, &text) != nil {
		return string(id)
	}
	return strconv.Quote(text)
}

// match finds the request that an answer is for. An id that came back in another type still counts, and so does an
// answer without one when there is only one call that it can be for.
func (s *Session) match(m *Message) (id int64, retyped string) {
	if c := s.byOwnID[spelling(m.ID)]; c != nil {
		return c.id, ""
	}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); err == nil {
		return n, ""
	}
	var asText string
	if json.Unmarshal(m.ID, &asText) == nil && asText != "" {
		if n, err := strconv.ParseInt(asText, 10, 64); err == nil {
			return n, fmt.Sprintf("id came back as %s; want the number %d", m.ID, n)
		}
	}
	if f, err := strconv.ParseFloat(string(m.ID), 64); err == nil && f == float64(int64(f)) {
		return int64(f), fmt.Sprintf("id came back as %s; want %d", m.ID, int64(f))
	}
	if m.ID != nil && string(m.ID) != "null" {
		return 0, ""
	}
	if c := s.byStream[m.Frame.Stream]; c != nil {
		return c.id, fmt.Sprintf("id came back as %s; want %d", orAbsent(string(m.ID)), c.id)
	}
	if len(s.pending) == 1 && onPipe(m.Frame) {
		for only := range s.pending {
			return only, fmt.Sprintf("id came back as %s; want %d", orAbsent(string(m.ID)), only)
		}
	}
	return 0, ""
}

// onPipe tells frames of a process from those of HTTP exchanges.
func onPipe(f wire.Frame) bool { return strings.HasPrefix(f.Stream, string(wire.Stdio)) }

package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A sessionServer is an HTTP server that forgets its sessions when it is told to.
type sessionServer struct {
	refusal string // the body of its 404; $id is the ID of the request

	mu      sync.Mutex
	session int // the one that it knows; 0 for none
	opened  int
	refuses bool // it starts no further session
	got     map[string]int
}

func (s *sessionServer) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = 0
}

func (s *sessionServer) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got[method]
}

func (s *sessionServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := Read(wire.Frame{Body: body})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got[m.Method]++
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "initialize" && (s.refuses || r.Header.Get(sessionHeader) != ""):
		w.WriteHeader(http.StatusServiceUnavailable)
	case m.Method == "initialize":
		s.opened++
		s.session = s.opened
		w.Header().Set(sessionHeader, fmt.Sprint("session-", s.session))
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",`+
			`"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
	case r.Header.Get(sessionHeader) != fmt.Sprint("session-", s.session):
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, strings.ReplaceAll(s.refusal, "$id", string(m.ID)))
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "unknown":
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, m.ID)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, m.ID)
	}
}

// sessionWith opens a session with the server; expired counts how often it was told to be of no use.
func sessionWith(t *testing.T, server *sessionServer) (s *Session, expired *atomic.Int32) {
	server.got = map[string]int{}
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	expired = &atomic.Int32{}
	return connect(t, wire.Target{URL: web.URL},
		Options{Protocol: spec.NewestLegacy, OnExpired: func() { expired.Add(1) }}), expired
}

// What servers send with the 404: nothing, an error without the ID of the request, one with it.
var refusals = map[string]string{
	"empty": "", "text": "Session not found",
	"null id": `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`,
	"text id": `{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}`,
	"own id":  `{"jsonrpc":"2.0","id":$id,"error":{"code":-32600,"message":"session not found"}}`,
}

// A list in an expired session is repeated in a new one.
func TestExpiredSessionIsRenewed(t *testing.T) {
	for name, refusal := range refusals {
		t.Run(name, func(t *testing.T) {
			server := &sessionServer{refusal: refusal}
			s, expired := sessionWith(t, server)
			server.expire()
			ex, err := s.Call(t.Context(), "tools/list", nil)
			if err != nil || ex.Reply.Error != nil || ex.Status != http.StatusOK {
				t.Fatalf("%v, %+v", err, ex)
			}
			if len(ex.Notices) != 1 || !strings.Contains(ex.Notices[0].Text,
				"a new one was started and tools/list was repeated") {
				t.Errorf("the exchange has the notices %v", ex.Notices)
			}
			noticed(t, s, "the session had expired (HTTP 404)")
			if n := server.count("initialize"); n != 2 || expired.Load() != 0 {
				t.Errorf("%d sessions, %d times expired", n, expired.Load())
			}
			if _, err := s.Call(t.Context(), "tools/call", raw(`{"name":"t"}`)); err != nil {
				t.Errorf("a call in the new session: %v", err)
			}
		})
	}
}

// Many requests that find the session expired start one new session.
func TestExpiredSessionIsRenewedOnce(t *testing.T) {
	server := &sessionServer{}
	s, _ := sessionWith(t, server)
	server.expire()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, err := s.Call(t.Context(), "tools/list", nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := server.count("initialize"); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
}

// A request whose header was made before another one renewed the session has expired, too.
func TestExpiredSessionOfAHeader(t *testing.T) {
	server := &sessionServer{}
	s, _ := sessionWith(t, server)
	old := s.ID()
	server.expire()
	if _, err := s.Call(t.Context(), "tools/list", nil); err != nil || s.ID() == old {
		t.Fatalf("%v, session %s", err, s.ID())
	}
	_, err := s.Do(t.Context(), Request{Method: "tools/call", Params: raw(`{"name":"t"}`), Header: http.Header{sessionHeader: {old}}})
	if !isExpired(err) {
		t.Errorf("%v, want that the session has expired", err)
	}
}

// A tool call is never repeated: it fails, and the failure says what to do.
func TestExpiredSessionFailsACall(t *testing.T) {
	for name, refusal := range refusals {
		t.Run(name, func(t *testing.T) {
			server := &sessionServer{refusal: refusal}
			s, expired := sessionWith(t, server)
			server.expire()
			_, err := s.Call(t.Context(), "tools/call", raw(`{"name":"t"}`))
			var gone *SessionExpiredError
			var e *wire.Error
			if !errors.As(err, &gone) || !errors.As(err, &e) || !strings.Contains(e.Hint.String(), "connect again") {
				t.Errorf("%v, want that the session has expired", err)
			}
			if server.count("tools/call") != 1 || server.count("initialize") != 1 || expired.Load() != 1 {
				t.Errorf("the server got %v; told %d times", server.got, expired.Load())
			}
		})
	}
}

// A server that starts no further session is asked once.
func TestExpiredSessionThatCannotBeRenewed(t *testing.T) {
	server := &sessionServer{}
	s, expired := sessionWith(t, server)
	server.expire()
	server.refuses = true
	_, err := s.Call(t.Context(), "tools/list", nil)
	if err == nil || !strings.Contains(err.Error(), "session expired") ||
		!strings.Contains(err.Error(), "starting a new one failed") {
		t.Errorf("%v", err)
	}
	if server.count("tools/list") != 1 || server.count("initialize") != 2 || expired.Load() != 1 {
		t.Errorf("the server got %v; told %d times", server.got, expired.Load())
	}
}

// A 404 that answers the request is not the end of the session.
func TestUnknownMethodIsNoExpiredSession(t *testing.T) {
	server := &sessionServer{}
	s, expired := sessionWith(t, server)
	ex, err := s.Call(t.Context(), "unknown", nil)
	if err != nil || ex.Reply.Error == nil || ex.Reply.Error.Code != CodeMethodNotFound || expired.Load() != 0 {
		t.Errorf("%v, %+v", err, ex)
	}
}

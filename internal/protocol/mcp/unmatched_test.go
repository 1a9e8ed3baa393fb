package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

const nullIDError = `send {"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such thing"}}`

// A response without the ID of the request completes nothing: the request fails at its timeout, and its failure and its
// exchange say what arrived.
func TestUnmatchedResponseFailsAtTheTimeout(t *testing.T) {
	for name, tt := range map[string]struct{ step, want string }{
		"null error": {nullIDError, "x: no response within 1m0s; the server sent an error with id null: -32602 no " +
			"such thing"},
		"null result": {`send {"jsonrpc":"2.0","id":null,"result":{}}`, "the server sent a result with id null"},
		"without id":  {`send {"jsonrpc":"2.0","result":{}}`, "the server sent a result without id"},
		"text": {`send {"jsonrpc":"2.0","id":"$id","result":{}}`,
			`the server sent a result with id "2"; expected id 2`},
		"fraction": {`send {"jsonrpc":"2.0","id":$id.0,"result":{}}`,
			"the server sent a result with id 2.0; expected id 2"},
		"wrong case":   {`send {"jsonrpc":"2.0","Id":$id,"result":{}}`, "the server sent a result without id"},
		"neither kind": {`send {"jsonrpc":"2.0","id":"$id"}`, `the server sent a response with id "2"; expected id 2`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := wiretest.New(legacyGreeting + "on x\n\t" + tt.step + "\n")
				s, err := Connect(t.Context(), wire.Target{Name: "played", Serve: server.Serve}, nil,
					&Options{Protocol: spec.NewestLegacy})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				start := time.Now()
				ex, err := s.Call(t.Context(), "x", nil)
				if took := time.Since(start); err == nil || !errors.Is(err, context.DeadlineExceeded) ||
					took < time.Minute {
					t.Fatalf("after %v: %v, want a timeout", took, err)
				}
				if !strings.Contains(err.Error(), tt.want) {
					t.Errorf("the failure is %q, want %q in it", err, tt.want)
				}
				if len(ex.Notices) != 1 || ex.Reply != nil {
					t.Errorf("the exchange has the notices %v and the reply %v", ex.Notices, ex.Reply)
				}
				if _, err := s.Call(t.Context(), "ping", nil); err != nil {
					t.Errorf("the next call: %v", err)
				}
			})
		})
	}
}

// Over HTTP the exchange ends with the response: the request fails at once.
func TestUnmatchedResponseOverHTTP(t *testing.T) {
	for name, tt := range map[string]struct{ steps, want string }{
		"body":  {nullIDError, "HTTP 200 OK: the server sent an error with id null: -32602 no such thing"},
		"event": {"sse\n\t" + nullIDError, "the server sent an error with id null: -32602 no such thing"},
		"400": {"status 400\n\t" + nullIDError,
			"HTTP 400 Bad Request: the server sent an error with id null: -32602 no such thing"},
		"text": {`send {"jsonrpc":"2.0","id":"$id","result":{}}`, `a result with id "2"; expected id 2`},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := playHTTP(t, spec.NewestLegacy, "on x\n\t"+tt.steps+"\n", Options{})
			ex, err := s.Call(t.Context(), "x", nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			if len(ex.Notices) != 1 {
				t.Errorf("the exchange has the notices %v", ex.Notices)
			}
		})
	}
}

// A handshake that is answered under another ID is not waited for.
func TestRetypedHandshake(t *testing.T) {
	server := wiretest.New(strings.Replace(legacyGreeting, "result {\"protocolVersion\"",
		`send {"jsonrpc":"2.0","id":"$id","result":{}}`+"\n\t# ", 1))
	_, err := Connect(t.Context(), wire.Target{Serve: server.Serve}, nil, &Options{Protocol: spec.NewestLegacy})
	var unmatched *UnmatchedError
	if !errors.As(err, &unmatched) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want a failure that says which id came", err)
	}
}

// An HTTP error status may carry an error without an ID: the era is read from its code.
func TestProbeReadsAnErrorStatusWithoutID(t *testing.T) {
	const initialize = "on initialize\n\tresult {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}\n"
	for name, tt := range map[string]struct{ script, version string }{
		"not initialized": {"on server/discover\n\tstatus 400\n\tsend " +
			"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Server not initialized\"}}\n" +
			initialize, spec.NewestLegacy},
		"other versions": {"on server/discover\n\tstatus 400\n\tsend " +
			"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}}\n" + modernGreeting, spec.NewestModern},
	} {
		t.Run(name, func(t *testing.T) {
			if s, _ := playAt(t, tt.script, Options{}); s.Version != tt.version {
				t.Errorf("the session has the version %s (%s), want %s", s.Version, s.Why, tt.version)
			}
		})
	}
}

// FailUnmatched does not wait.
func TestFailUnmatched(t *testing.T) {
	s, _ := play(t, spec.NewestLegacy, "on x\n\t"+nullIDError+"\n", Options{FailUnmatched: true, Timeout: time.Hour})
	var unmatched *UnmatchedError
	if _, err := s.Call(t.Context(), "x", nil); !errors.As(err, &unmatched) ||
		errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

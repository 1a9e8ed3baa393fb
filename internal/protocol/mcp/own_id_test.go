package mcp

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// A large id of the caller's does not make those that follow too large to be read.
func TestLargeIDOfTheCallers(t *testing.T) {
	server := wiretest.New("on *\n\tresult {}")
	s, err := Connect(t.Context(), wire.Target{Serve: server.Serve}, nil,
		&Options{Protocol: spec.NewestLegacy, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const large = "9007199254740991"
	if ex, err := s.CallRaw(t.Context(), []byte(large),
		fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"ping"}`, large), nil); err != nil ||
		string(ex.Reply.ID) != large {
		t.Fatalf("the call with id %s: %+v, %v", large, ex, err)
	}
	ex, err := s.Call(t.Context(), "ping", nil)
	if err != nil || len(ex.Request.ID) > 3 {
		t.Errorf("the next id is %s (%v), want a small one", ex.Request.ID, err)
	}
}

// A string is the same id however the server escapes it: some write all but ASCII as escapes.
func TestIDComesBackEscaped(t *testing.T) {
	server := wiretest.New("on ping\n\tsend {\"jsonrpc\":\"2.0\",\"id\":\"caf\\u00e9\\/1\",\"result\":{}}")
	s, err := Connect(t.Context(), wire.Target{Serve: server.Serve}, nil,
		&Options{Protocol: spec.NewestLegacy, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const id = `"café/1"`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only if it is never found
	defer cancel()
	ex, err := s.CallRaw(ctx, []byte(id), []byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`), nil)
	if err != nil || string(ex.Reply.Result) != "{}" {
		t.Errorf("the call with id %s: %v, want the answer under its other spelling", id, err)
	}
}

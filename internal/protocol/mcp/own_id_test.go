package mcp

import (
	"fmt"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// A large id of the caller's does not make those that follow too large to be read.
func TestLargeIDOfTheCallers(t *testing.T) {
	server := wiretest.New("on *\n\tresult {}")
	s, err := Connect(t.Context(), wire.Target{Serve: server.Serve}, nil, &Options{Protocol: NewestLegacy, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const large = "9007199254740991"
	if ex, err := s.CallRaw(t.Context(), []byte(large), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"ping"}`, large), nil); err != nil || string(ex.Reply.ID) != large {
		t.Fatalf("the call with id %s: %+v, %v", large, ex, err)
	}
	ex, err := s.Call(t.Context(), "ping", nil)
	if err != nil || len(ex.Request.ID) > 3 {
		t.Errorf("the next id is %s (%v), want a small one", ex.Request.ID, err)
	}
}

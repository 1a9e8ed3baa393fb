package npm

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// stdio is the target of a server that talks by its standard streams.
func stdio(t *testing.T, name string, args ...string) wire.Target {
	t.Helper()
	in := Require(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return wire.Target{Name: name, Command: append([]string{in.Node, in.Script(name)}, args...),
		Env: []string{"PATH=" + os.Getenv("PATH"), mark}, Supervisor: []string{self, supervise.Command}}
}

// listening starts server-everything on a free port and returns its base URL.
func listening(t *testing.T, mode string) string {
	t.Helper()
	return Require(t).Everything(t, mode, mark)
}

// connect opens a session that ends with the test.
func connect(t *testing.T, target wire.Target, log *wire.Transcript, opts *mcp.Options) *mcp.Session {
	t.Helper()
	s, err := mcp.Connect(deadline(t), target, log, opts)
	if err != nil {
		t.Fatalf("connect to %v: %v", target, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %v: %v", target, err)
		}
	})
	return s
}

// deadline is the context of one test.
func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

//go:build unix

package engines

import (
	"context"
	"errors"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestProgramLeavesNothing ends what a program has started, and keeps the end of its output alone.
func TestProgramLeavesNothing(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(time.Second, func() { cancel(enough) })
	output, err := RunProgram(ctx, wire.Target{Command: []string{"sh", "-c", "sleep 300 & echo $!; wait"}, Env: wire.BaseEnv(),
		Dir: t.TempDir()})
	child, failed := strconv.Atoi(strings.TrimSpace(output))
	if !errors.Is(err, enough) || failed != nil {
		t.Fatalf("%q, %v", output, err)
	}
	for end := time.Now().Add(10 * time.Second); syscall.Kill(child, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d is left", child)
		}
	}
	output, err = RunProgram(t.Context(), wire.Target{Command: []string{"sh", "-c", "yes | head -c 4000000; echo last; exit 3"},
		Env: wire.BaseEnv(), Dir: t.TempDir()})
	if err == nil || len(output) > 3*maxOutput || !strings.HasSuffix(output, "last") {
		t.Errorf("%d bytes, %v", len(output), err)
	}
}

// TestServeExits says why a package that serves HTTP does not listen, with its output; one that listens is ended by stop.
func TestServeExits(t *testing.T) {
	other := httptest.NewServer(nil)
	defer other.Close()
	address := other.Listener.Addr().String()
	l := ready.Launch{Kind: "npm", What: "the package", URL: "http://" + address + "/mcp"}
	if why := occupied(t.Context(), l); !strings.Contains(why, "already listens at its address: "+l.URL) {
		t.Errorf("occupied is %q", why)
	}
	run := func(script string) (func(), error) {
		_, stop, err := (&starter{}).serve(t.Context(), l, wire.Target{Command: []string{"sh", "-c", script}, Env: wire.BaseEnv(),
			Dir: t.TempDir()})
		return stop, err
	}
	stop, err := run("exec sleep 300")
	if err != nil {
		t.Fatal(err)
	}
	stop()
	l.URL = "http://127.0.0.1:1/mcp"
	_, err = run("echo no key >&2; exit 1")
	var failed *wire.Error
	if !errors.As(err, &failed) || failed.Stderr != "no key" || !strings.Contains(err.Error(), "before it listened at "+l.URL) {
		t.Errorf("got %v, want that it exited, and its output", err)
	}
}

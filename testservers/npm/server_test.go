package npm

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
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
		Env: []string{"PATH=" + os.Getenv("PATH"), mark}, Supervisor: []string{self, supervise}}
}

// listening starts server-everything on a free port and returns its base URL.
func listening(t *testing.T, mode string) string {
	t.Helper()
	in := Require(t)
	port := freePort(t)
	cmd := exec.Command(in.Node, in.Script("server-everything"), mode)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "PORT=" + strconv.Itoa(port), mark}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	awaitPort(t, address)
	return "http://" + address
}

// awaitPort waits until somebody listens.
func awaitPort(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("nobody listens on %s: %v", address, err)
		}
	}
}

// given are the ports that were given out: one that nobody listens on yet must not be given to another.
var given sync.Map

func freePort(t *testing.T) int {
	t.Helper()
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		_ = l.Close()
		if _, taken := given.LoadOrStore(port, true); !taken {
			return port
		}
	}
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

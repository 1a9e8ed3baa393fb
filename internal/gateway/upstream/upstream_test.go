package upstream

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/starter"
)

func TestMain(m *testing.M) {
	starter.Play()
	leaktest.Main(m)
}

// A toy is a server of the older era. Calls are answered by answer, each in a goroutine; "" is no answer.
type toy struct {
	starts atomic.Int64
	answer func(ctx context.Context, method, id string) string
}

func (s *toy) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.starts.Add(1)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	var mu sync.Mutex
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		_ = json.Unmarshal(line, &m)
		if m.ID == nil {
			continue
		}
		wg.Go(func() {
			result := `"result":{}`
			switch m.Method {
			case "server/discover":
				result = `"error":{"code":-32601,"message":"no"}`
			case "initialize":
				result = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
					`"serverInfo":{"name":"toy","version":"1"}}`
			case "tools/list":
				result = `"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}`
			default:
				if s.answer != nil {
					result = s.answer(ctx, m.Method, string(m.ID))
				}
			}
			if result != "" {
				mu.Lock()
				defer mu.Unlock()
				fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, result)
			}
		})
	}
}

func start(t *testing.T, s *toy, o Options) *Server {
	t.Helper()
	server := Start("toy", wire.Target{Serve: s.serve, Grace: 100 * time.Millisecond}, &o)
	t.Cleanup(server.Close)
	return server
}

func call(ctx context.Context, s *Server) (string, error) {
	m, _, err := s.Do(ctx, Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`), Owner: "test"})
	if err != nil {
		return "", err
	}
	return string(m.Result), nil
}

// No more requests than agreed reach a server; those that wait are served in time, and the rest is refused.
func TestLimits(t *testing.T) { synctest.Test(t, testLimits) }

func testLimits(t *testing.T) {
	var now, most atomic.Int64
	release := make(chan struct{})
	server := start(t, &toy{answer: func(ctx context.Context, method, _ string) string {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		select {
		case <-release:
		case <-ctx.Done():
		}
		return `"result":{"ok":true}`
	}}, Options{InFlight: 4, Queue: 3})
	if _, err := server.Await(t.Context(), spec.Legacy); err != nil {
		t.Fatal(err)
	}
	outcomes := make(chan error, 10)
	for range 10 {
		go func() { _, err := call(t.Context(), server); outcomes <- err }()
	}
	for range 3 {
		var overloaded *OverloadedError
		if err := <-outcomes; !errors.As(err, &overloaded) {
			t.Errorf("%v, want an OverloadedError", err)
		}
	}
	synctest.Wait() // for a fifth that should not come
	close(release)
	for range 7 {
		if err := <-outcomes; err != nil {
			t.Error(err)
		}
	}
	if most.Load() != 4 {
		t.Errorf("%d requests at once, want 4", most.Load())
	}
}

// A server that hangs is not sent more requests until it gives a sign of life.
func TestBreaker(t *testing.T) { synctest.Test(t, testBreaker) }

func testBreaker(t *testing.T) {
	var hangs atomic.Bool
	hangs.Store(true)
	server := start(t, &toy{answer: func(_ context.Context, method, _ string) string {
		if hangs.Load() {
			return ""
		}
		return `"result":{"ok":true}`
	}}, Options{Timeout: 50 * time.Millisecond, Health: time.Hour})
	if _, err := server.Await(t.Context(), spec.Legacy); err != nil {
		t.Fatal(err)
	}
	for range breakAfter {
		if _, err := call(t.Context(), server); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v, want a timeout", err)
		}
	}
	for range 5 {
		start := time.Now()
		var down *DownError
		if _, err := call(t.Context(), server); !errors.As(err, &down) || !errors.Is(err, errSilent) ||
			time.Since(start) > 0 {
			t.Errorf("%v after %v, want a refusal at once", err, time.Since(start))
		}
	}
	if h := server.Health(); h.State != Degraded {
		t.Errorf("state %s, want degraded: connected is not healthy", h.State)
	}
	hangs.Store(false)
	for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := call(t.Context(), server); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the breaker stays open although the server answers")
		}
	}
	if h := server.Health(); h.State != Ready {
		t.Errorf("state %s, want ready", h.State)
	}
}

// A call to a server that cannot be started is refused, with its name and the reason.
func TestUnstartable(t *testing.T) {
	server := Start("gone", wire.Target{Command: []string{"/nonexistent/server"}}, nil)
	defer server.Close()
	for range 2 {
		if _, err := call(t.Context(), server); err == nil || !strings.Contains(err.Error(), `"gone"`) {
			t.Fatalf("%v, want a refusal that names the server", err)
		}
	}
	if h := server.Health(); h.State != Down || !strings.Contains(h.Error, "nonexistent") {
		t.Errorf("%+v, want it down and why", h)
	}
}

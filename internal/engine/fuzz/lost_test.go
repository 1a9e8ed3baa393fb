package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A singleThread is a server over HTTP that handles one request at a time.
type singleThread struct {
	busy   time.Duration // how long a call with such a name takes
	closes func(calls int64, name string) bool
	turn   sync.Mutex
	calls  atomic.Int64
	ends   chan struct{} // of the test
}

func (s *singleThread) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments map[string]any }
	}
	if r.Method != http.MethodPost || json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	name := fmt.Sprint(m.Params.Arguments["name"])
	if s.busy > 0 && strings.HasPrefix(name, "aaaaaaaaaaaaaaaa") && strings.HasSuffix(name, "!") {
		select {
		case <-time.After(s.busy):
		case <-s.ends:
			return
		}
	}
	if m.Method == "tools/call" && s.closes != nil && s.closes(s.calls.Add(1), name) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": done\n\n")
		return
	}
	results := map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"one","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"check","inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}]}`,
		"tools/call": `{"content":[{"type":"text","text":"fine"}]}`, "ping": "{}",
	}
	if _, isText := m.Params.Arguments["name"].(string); !isText {
		results["tools/call"] = `{"content":[{"type":"text","text":"name must be a text"}],"isError":true}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, results[m.Method])
}

// run runs fuzz against the server.
func (s *singleThread) run(ctx context.Context, t *testing.T, opts Options) *Result {
	t.Helper()
	s.ends = make(chan struct{})
	server := httptest.NewServer(s)
	t.Cleanup(func() { close(s.ends); server.CloseClientConnections(); server.Close() })
	opts.Seed, opts.May = 1, anyTool
	opts.Open = func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{URL: server.URL, Kind: wire.StreamableHTTP}, nil,
			&mcp.Options{Protocol: "2025-06-18", Timeout: 2 * time.Second})
	}
	result, err := Run(ctx, opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A call after which the whole server is silent is reported, also if the run ends before anything can be repeated.
func TestCallThatBlocksAnHTTPServer(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]time.Duration{"to the end": time.Minute, "interrupted": 4 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), ends)
			defer cancel()
			s := &singleThread{busy: time.Hour}
			result := s.run(ctx, t, Options{Cases: 60, Hang: time.Second, Shrink: time.Second})
			found := of(result, hangRule)
			if found == nil || len(result.Found) != 1 {
				t.Fatalf("got %v, expected one %s", result.Report.Findings(), hangRule)
			}
			if got := string(found.Steps[0].Arguments); found.Silence < time.Second || !strings.Contains(got, "aaa!") {
				t.Errorf("got %s and a silence of %v", got, found.Silence)
			}
		})
	}
}

// A call that blocks the server for a while is slow, and no finding.
func TestCallThatDelaysAnHTTPServer(t *testing.T) {
	t.Parallel()
	s := &singleThread{busy: 1500 * time.Millisecond}
	result := s.run(t.Context(), t, Options{Cases: 60, Hang: 20 * time.Second, Shrink: time.Second})
	if got := result.Report.Findings(); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}

// A stream that ends without a response is no crash while the server responds to other requests. One that is not seen again
// is not reported.
func TestStreamWithoutResponse(t *testing.T) {
	t.Parallel()
	always := func(_ int64, name string) bool { return strings.Contains(name, "日本") }
	result := (&singleThread{closes: always}).run(t.Context(), t, Options{Cases: 60})
	found := of(result, "FUZZ-003")
	if found == nil || len(result.Found) != 1 || found.Breach != "the stream ended without a response" || !found.Repeats {
		t.Errorf("got %v", result.Report.Findings())
	}
	once := func(calls int64, _ string) bool { return calls == 7 }
	result = (&singleThread{closes: once}).run(t.Context(), t, Options{Cases: 60})
	if got := result.Report.Findings(); len(got) > 0 {
		t.Errorf("once: got %v", got)
	}
}

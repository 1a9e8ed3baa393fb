package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// An httpServer is a server over HTTP with one tool and one defect.
type httpServer struct {
	forgets bool                       // it knows which sessions were ended
	status  int                        // of the answer to a call with a long name; 0 means that it is answered
	breaks  func(r *http.Request) bool // whether a request makes it silent for ever
	ended   atomic.Bool
	silent  atomic.Bool
}

func (s *httpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.breaks != nil && s.breaks(r) {
		s.silent.Store(true)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil && s.breaks != nil {
		s.silent.Store(true) // it does not release what a truncated body takes
	}
	if s.silent.Load() {
		<-r.Context().Done()
		return
	}
	switch r.Method {
	case http.MethodDelete:
		s.ended.Store(true)
		return
	case http.MethodPost:
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Arguments struct{ Name json.RawMessage }
		}
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if m.Method == "initialize" {
		s.ended.Store(false)
		w.Header().Set("Mcp-Session-Id", "s1")
	} else if s.ended.Load() && s.forgets {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if m.Method == "tools/call" && len(m.Params.Arguments.Name) > 100 && s.status != 0 {
		w.WriteHeader(s.status)
		return
	}
	call := `{"content":[{"type":"text","text":"fine"}]}`
	if name := m.Params.Arguments.Name; name != nil && schema.Kind(name) != '"' {
		call = `{"content":[{"type":"text","text":"name must be a text"}],"isError":true}`
	}
	results := map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"zoo",` +
			`"version":"1"}}`,
		"tools/list": `{"tools":[{"name":"work","inputSchema":{"type":"object",` +
			`"properties":{"name":{"type":"string"}}}}]}`,
		"tools/call": call, "ping": "{}",
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, results[m.Method])
}

// TestHTTP finds what only HTTP shows.
func TestHTTP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server         *httpServer
		rule, says     string
		stateful, wire bool
	}{
		"clean":            {server: &httpServer{forgets: true}, stateful: true, wire: true},
		"an ended session": {server: &httpServer{}, stateful: true, rule: "FUZZ-013", says: "expected 404"},
		"a status for answer": {server: &httpServer{forgets: true, status: 500}, rule: "FUZZ-003",
			says: "HTTP status 500"},
		"a truncated body": {server: &httpServer{breaks: func(*http.Request) bool { return false }}, wire: true,
			rule: "FUZZ-012", says: "after a truncated body"},
		"a method that is none": {server: &httpServer{breaks: func(r *http.Request) bool { return r.Method == "FUZZ" }},
			wire: true, rule: "FUZZ-012", says: "the method FUZZ"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(c.server)
			t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
			hang := 20 * time.Second
			if c.server.breaks != nil {
				hang = time.Second
			}
			opts := Options{Seed: 1, Cases: 150, Hang: hang, May: anyTool, Stateful: c.stateful, Wire: c.wire,
				Open: func(ctx context.Context) (*mcp.Session, error) {
					timeout := 30 * time.Second
					if c.server.silent.Load() {
						timeout = 100 * time.Millisecond // there will be no answer
					}
					return mcp.Connect(ctx, wire.Target{URL: server.URL, Kind: wire.StreamableHTTP}, nil,
						&mcp.Options{Protocol: "2025-06-18", Timeout: timeout})
				}}
			result, err := Run(t.Context(), opts)
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			for _, f := range result.Found {
				if f.Rule.ID == "FUZZ-013" {
					replayFile(t, opts, f)
				}
			}
			found := result.Report.Findings()
			if c.rule == "" {
				if len(found) > 0 {
					t.Errorf("got %v, want nothing", found)
				}
				return
			}
			if !slices.ContainsFunc(found, func(f finding.Finding) bool {
				return f.Rule == c.rule &&
					strings.Contains(f.Message, c.says)
			}) {
				t.Errorf("got %v, want %s: %s", found, c.rule, c.says)
			}
		})
	}
}

// Each session of a run repeats arguments in the headers that the tool names, also one that did not list the tools.
func TestLaterSessionsRepeatArguments(t *testing.T) {
	t.Parallel()
	exemplary := &exemplar.Server{}
	server := httptest.NewServer(exemplary.Handler())
	t.Cleanup(server.Close)
	r := newRunner(Options{Seed: 1, Tools: []string{"locate"}, May: anyTool, Open: func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{URL: server.URL + "/mcp", Kind: wire.StreamableHTTP}, nil, &mcp.Options{Protocol: "2026-07-28"})
	}})
	defer r.close()
	if err := r.fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.choose(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.fresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ex, err := r.session.Call(t.Context(), "tools/call", mcp.Object("name", "locate", "arguments", json.RawMessage(`{"place":"here"}`)))
	if err != nil || ex.Reply.Error != nil {
		t.Fatalf("%v, %+v", err, ex)
	}
}

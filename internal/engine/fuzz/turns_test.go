package fuzz

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// A unevenServer is a server over HTTP with four tools, of which "report" may be slow. It records the calls.
type unevenServer struct {
	takes    time.Duration // how long a valid call of report takes
	progress bool          // report sends progress notifications if they are requested
	locks    bool          // a valid call of report fails at once and keeps a lock, for which the next ones of a session wait
	locked   bool
	mu       sync.Mutex
	calls    []string
}

func (s *unevenServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
			Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	var args map[string]any
	result := `{"content":[{"type":"text","text":"fine"}]}`
	w.Header().Set("Content-Type", "application/json")
	_ = json.Unmarshal(m.Params.Arguments, &args)
	switch _, valid := args["text"].(string); m.Method {
	case "initialize":
		s.isFree(true) // as in a new process
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"uneven","version":"1"}}`
	case "tools/list":
		var tools []string
		for _, name := range []string{"add", "report", "echo", "find"} {
			tools = append(tools, `{"name":"`+name+`","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object",`+
				`"properties":{"text":{"type":"string"}},"required":["text"]}}`)
		}
		result = `{"tools":[` + strings.Join(tools, ",") + `]}`
	case "tools/call":
		s.mu.Lock()
		s.calls = append(s.calls, m.Params.Name+" "+string(m.Params.Arguments))
		s.mu.Unlock()
		switch {
		case !valid:
			result = `{"content":[{"type":"text","text":"text must be a string"}],"isError":true}`
		case m.Params.Name == "report" && s.locks && s.isFree(false):
			result = `{"content":[{"type":"text","text":"no such report"}],"isError":true}`
		case m.Params.Name == "report":
			if s.progress && m.Params.Meta.ProgressToken != nil {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,`+
					"\"progress\":1}}\n\n", m.Params.Meta.ProgressToken)
				w.(http.Flusher).Flush()
			}
			select {
			case <-time.After(s.takes):
			case <-r.Context().Done():
				return
			}
		}
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// isFree reports whether the lock of report is not held, and holds or releases it.
func (s *unevenServer) isFree(release bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.locked = !release }()
	return !s.locked
}

// run fuzzes the server and returns the result with the calls by tool.
func (s *unevenServer) run(t *testing.T, o Options) (*Result, map[string]int) {
	t.Helper()
	at := httptest.NewServer(s)
	defer at.Close()
	o.May, o.Seed = anyTool, 1
	o.Open = func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{URL: at.URL}, wire.NewTranscript(nil), &mcp.Options{Protocol: "2025-06-18"})
	}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	count := map[string]int{}
	for _, c := range s.calls {
		name, _, _ := strings.Cut(c, " ")
		count[name]++
	}
	return result, count
}

// TestSlowToolWaits wants the other tools to have all of their calls although one tool takes much of the time, and the
// result to name it.
func TestSlowToolWaits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server *unevenServer
		rule   string // of the finding, if any
		why    string
	}{
		"responds in time": {&unevenServer{takes: 700 * time.Millisecond}, "", "fewer calls than other tools: "},
		"responds after the others": {&unevenServer{takes: 1600 * time.Millisecond}, "",
			"fewer calls than other tools: "},
		"reports progress": {&unevenServer{takes: time.Hour, progress: true}, "", "only invalid arguments were tested: "},
		"never responds":   {&unevenServer{takes: time.Hour}, "FUZZ-002", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, count := c.server.run(t, Options{Cases: 200, Duration: 8 * time.Second, Hang: 3 * time.Second,
				Shrink: time.Second})
			for _, quick := range []string{"add", "echo", "find"} {
				if count[quick] < 50 {
					t.Errorf("%d calls of %s, expected 50: %v", count[quick], quick, count)
				}
			}
			first := slices.IndexFunc(c.server.calls, func(c string) bool { return strings.HasPrefix(c, "report ") })
			if first != 1 {
				t.Errorf("report was called as number %d, expected 1: it has its turn", first)
			}
			if of(result, c.rule) == nil && c.rule != "" || others(result, c.rule) != "" {
				t.Errorf("found %v, expected %q", result.Report.Findings(), c.rule)
			}
			if got := result.Skipped["report"]; !strings.HasPrefix(got, c.why) || (got == "") != (c.why == "") {
				t.Errorf("got %q, expected %q", got, c.why)
			}
			named := slices.ContainsFunc(result.Slow, func(s SlowTool) bool { return s.Name == "report" && s.Calls > 0 })
			if len(result.Slow) > 1 || named != (c.why != "") || len(result.Unsure) > 0 {
				t.Errorf("slow tools %v, unsure %v; expected report: %v", result.Slow, result.Unsure, c.why != "")
			}
		})
	}
}

// TestTimeLimitKeepsOrder wants the same calls in the same order with and without a time limit if no tool is slow.
func TestTimeLimitKeepsOrder(t *testing.T) {
	t.Parallel()
	limited, free := &unevenServer{}, &unevenServer{}
	limited.run(t, Options{Cases: 150, Duration: time.Minute})
	free.run(t, Options{Cases: 150})
	if !slices.Equal(limited.calls, free.calls) || len(free.calls) < 150 {
		t.Errorf("%d calls with a time limit, %d without, expected the same calls", len(limited.calls), len(free.calls))
	}
}

// TestLockIsFound wants a call that gets no response after another one to be found within a time limit, with the call
// before it, although the tool may only be slow.
func TestLockIsFound(t *testing.T) {
	t.Parallel()
	server := &unevenServer{takes: time.Hour, locks: true}
	result, _ := server.run(t, Options{Cases: 200, Duration: 8 * time.Second, Hang: 3 * time.Second, Shrink: 10 * time.Second})
	found := of(result, "FUZZ-002")
	if found == nil || !found.Repeats || len(result.Found) != 1 {
		t.Fatalf("found %v, expected FUZZ-002", result.Report.Findings())
	}
	if got, want := found.finding().Message, `no response within the timeout after another call that failed: report {"text":""}; `+
		"release locks and connections also if a call fails (finally, defer)"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	if got, want := smallestOf(found), `{"text":""} then {"text":""}`; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
}

// TestSlowStartAndCrash expects the calls of all tools before a crash is minimized, if each attempt has to wait for the
// start of the server, and the crash to be minimized then.
func TestSlowStartAndCrash(t *testing.T) {
	t.Parallel()
	open, done, atStart := openCreature(planted.Beside()), 0, []int{}
	result, err := Run(t.Context(), Options{May: anyTool, Seed: 1, Cases: 200, Duration: 12 * time.Second,
		Hang: 6 * time.Second, Shrink: time.Second, Step: func(calls, _, _ int, _ string) { done = calls },
		Open: func(ctx context.Context) (*mcp.Session, error) {
			atStart = append(atStart, done)
			time.Sleep(1500 * time.Millisecond)
			return open(ctx)
		}})
	if err != nil {
		t.Fatal(err)
	}
	found := of(result, "FUZZ-001")
	if found == nil || !found.Repeats || smallestOf(found) != planted.Beside().Smallest {
		t.Fatalf("got %v, expected %s", result.Report.Findings(), planted.Beside().Smallest)
	}
	if len(atStart) < 4 || atStart[2] < 150 || found.Cases > 4 {
		t.Errorf("sessions were opened after %v calls, and a crash found in call %d; expected the calls of the other tools "+
			"before the crash is repeated", atStart, found.Cases)
	}
}

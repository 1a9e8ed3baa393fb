package conform

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// RPC-025 passes on a server with a slow tool that responds meanwhile.
func TestServerThatRespondsDuringASlowCall(t *testing.T) {
	t.Parallel()
	slow := mutant{defect: onCall("count", func(c *exemplar.Call) {
		select {
		case <-time.After(500 * time.Millisecond):
		case <-c.Ctx.Done(): // the check ends the call when it has its response
		}
	})}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		out, err := judged(t, slow.target(t, "RPC-025", OnPipe), calm(revision, "RPC-025"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected it to pass", revision, r)
		}
	}
}

// CANCEL-004 passes on a slow tool whose calls are independent, and on one that rejects a second call at the same time.
func TestCancellationOfASlowCall(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int64{"independent": 9, "one at a time": 1} {
		var running atomic.Int64
		slow := mutant{defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Method != "tools/call" || schema.TextAt(c.Params, "/name") != "count" {
						return next(c)
					}
					defer running.Add(-1)
					if running.Add(1) > most {
						return succeed(c, `{"content":[{"type":"text","text":"busy"}],"isError":true}`)
					}
					select {
					case <-time.After(400 * time.Millisecond):
						return next(c)
					case <-c.Ctx.Done():
						return nil
					}
				}
			}
		}}
		for _, place := range []Transports{OnPipe, OnHTTP} {
			out, err := judged(t, slow.target(t, "CANCEL-004", place), calm("2025-11-25", "CANCEL-004"))
			if err != nil {
				t.Fatal(err)
			}
			if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
				t.Errorf("%s over %s: %+v, expected it to pass", name, place, r)
			}
		}
	}
}

// CANCEL-005 passes on a slow tool that stops, and on a server that cannot stop a call, since it reads no message until it ends.
func TestCallThatStops(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]mutant{
		"stops": {defect: onCall("count", func(c *exemplar.Call) {
			select {
			case <-time.After(900 * time.Millisecond):
			case <-c.Ctx.Done():
			}
		})},
		"one thing at a time": {defect: func(s *exemplar.Server) {
			s.Stop = func(*exemplar.Call, string) bool { return true }
			blocking(900 * time.Millisecond)(s)
		}},
	} {
		for _, place := range []Transports{OnPipe, OnHTTP} {
			out, err := judged(t, slow.target(t, "CANCEL-005", place), calm("2025-11-25", "CANCEL-005"))
			if err != nil {
				t.Fatal(err)
			}
			if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
				t.Errorf("%s over %s: %+v, expected it to pass", name, place, r)
			}
		}
	}
}

// TOOL-026 passes on a tool that rejects a call since there were too many.
func TestLimitOfCalls(t *testing.T) {
	t.Parallel()
	busy := mutant{defect: func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == "tools/call" && At(c.Params, "/arguments") == nil {
					return succeed(c, `{"content":[{"type":"text","text":"Rate limit exceeded: at most 3 calls in 2 s."}],"isError":true}`)
				}
				return next(c)
			}
		}
	}}
	out, err := judged(t, busy.target(t, "TOOL-026", OnPipe), calm("2025-11-25", "TOOL-026"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
		t.Errorf("%+v, expected it to pass", r)
	}
}

// TOOL-033 passes on a server that shows how long it runs, although a slow tool takes longer than the time between two looks.
func TestRunningTime(t *testing.T) {
	t.Parallel()
	started := time.Now()
	clock := mutant{defect: extraTools(`{"name":"get_status","description":"Returns the state of the server.","inputSchema":{"type":"object",`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}},{"name":"search_index","description":"Searches.","inputSchema":`+
		`{"type":"object","additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(name string, _ json.RawMessage) string {
		if name == "search_index" {
			time.Sleep(300 * time.Millisecond)
			return `{"found":0}`
		}
		return fmt.Sprintf(`{"ready_for":%d}`, time.Since(started)/(200*time.Millisecond))
	})}
	out, err := judged(t, clock.target(t, "TOOL-033", OnPipe), calm("2025-11-25", "TOOL-033"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
		t.Errorf("%+v, expected it to pass", r)
	}
}

// CANCEL-003 passes on a tool whose calls cannot be stopped and exclude each other, once the cancelled call has ended.
func TestToolThatCannotBeStopped(t *testing.T) {
	t.Parallel()
	var running atomic.Bool
	slow := mutant{defect: onlyCall("count", func(c *exemplar.Call, next exemplar.Handler) []byte {
		if !running.CompareAndSwap(false, true) {
			return succeed(c, `{"content":[{"type":"text","text":"a scan is running"}],"isError":true}`)
		}
		defer running.Store(false)
		time.Sleep(900 * time.Millisecond)
		return next(c)
	})}
	out, err := judged(t, slow.target(t, "CANCEL-003", OnPipe), calm("2025-11-25", "CANCEL-003"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
		t.Errorf("%+v, expected it to pass", r)
	}
}

// onlyCall replaces the calls of a tool.
func onlyCall(tool string, do func(c *exemplar.Call, next exemplar.Handler) []byte) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == "tools/call" && schema.TextAt(c.Params, "/name") == tool {
					return do(c, next)
				}
				return next(c)
			}
		}
	}
}

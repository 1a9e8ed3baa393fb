// Package callmetrics counts the calls of a gateway for Prometheus.
package callmetrics

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/latency"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// bounds are the upper bounds of the latency buckets.
var bounds = []time.Duration{time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond,
	50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond, time.Second,
	2500 * time.Millisecond,
	5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute}

// Calls counts calls by server, tool, class of callers and outcome, for Prometheus. The zero value is ready.
type Calls struct {
	mu    sync.Mutex
	calls map[series]*latency.Histogram
	odd   map[string]int64 // results that violate the output schema, by server
	tools map[toolSeries]int64
}

// A toolSeries counts the calls of one tool by one class of callers.
type toolSeries struct{ server, tool, caller, outcome string }

// maxSeries is how many toolSeries there are; further ones are counted under other.
const maxSeries = 2000

const other = "other"

// countTool counts one call by tool and class of callers. The name of an unknown tool is chosen by the client.
func (m *Calls) countTool(r invoke.Record) {
	if m.tools == nil {
		m.tools = map[toolSeries]int64{}
	}
	key := toolSeries{r.Server, r.Tool, access.ClassOf(r.Caller), r.Outcome}
	if r.Outcome == unknownOutcome {
		key.server, key.tool = "", other
	}
	if _, known := m.tools[key]; !known && len(m.tools) >= maxSeries {
		key = toolSeries{server: key.server, tool: other, caller: other, outcome: key.outcome}
		if _, known := m.tools[key]; !known && len(m.tools) >= 2*maxSeries {
			return
		}
	}
	m.tools[key]++
}

// unknownOutcome is the outcome of a call of a tool that does not exist for its caller.
const unknownOutcome = "NotFoundError"

func (m *Calls) writeTools(w io.Writer) {
	fmt.Fprintln(w, "# HELP mcptest_gateway_calls_total Tool calls by tool and class of callers (its name, or its roles).\n"+
		"# TYPE mcptest_gateway_calls_total counter")
	keys := slices.SortedFunc(maps.Keys(m.tools), func(a, b toolSeries) int {
		return cmp.Or(strings.Compare(a.server, b.server), strings.Compare(a.tool, b.tool),
			strings.Compare(a.caller, b.caller), strings.Compare(a.outcome, b.outcome))
	})
	for _, key := range keys {
		fmt.Fprintf(w, "mcptest_gateway_calls_total{server=%q,tool=%q,caller=%q,outcome=%q} %d\n", key.server, key.tool,
			key.caller, key.outcome, m.tools[key])
	}
}

type series struct{ server, outcome string }

// Observe counts one call.
func (m *Calls) Observe(r invoke.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == nil {
		m.calls = map[series]*latency.Histogram{}
	}
	key := series{r.Server, r.Outcome}
	h := m.calls[key]
	if h == nil {
		h = latency.New(bounds)
		m.calls[key] = h
	}
	h.Record(r.Elapsed)
	m.countTool(r)
	if r.Mismatch {
		if m.odd == nil {
			m.odd = map[string]int64{}
		}
		m.odd[r.Server]++
	}
}

// Write writes all metrics in the Prometheus text format.
func (m *Calls) Write(w io.Writer, servers []upstream.Health, sessions int) {
	fmt.Fprintln(w, "# HELP mcptest_gateway_call_duration_seconds Duration of tool calls.\n# TYPE "+
		"mcptest_gateway_call_duration_seconds histogram")
	m.mu.Lock()
	keys := make([]series, 0, len(m.calls))
	for key := range m.calls {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b series) int {
		return cmp.Or(strings.Compare(a.server, b.server), strings.Compare(a.outcome, b.outcome))
	})
	for _, key := range keys {
		writeHistogram(w, key, m.calls[key])
	}
	m.writeTools(w)
	fmt.Fprintln(w, "# HELP mcptest_gateway_output_mismatches_total Results that violate the output schema of their "+
		"tool.\n# TYPE mcptest_gateway_output_mismatches_total counter")
	for _, server := range slices.Sorted(maps.Keys(m.odd)) {
		fmt.Fprintf(w, "mcptest_gateway_output_mismatches_total{server=%q} %d\n", server, m.odd[server])
	}
	m.mu.Unlock()
	fmt.Fprintln(w, "# HELP mcptest_gateway_server_up Whether a server responds.\n# TYPE mcptest_gateway_server_up "+
		"gauge")
	for _, h := range servers {
		up := 0
		if h.State == upstream.Ready {
			up = 1
		}
		fmt.Fprintf(w, "mcptest_gateway_server_up{server=%q} %d\n", h.Server, up)
	}
	fmt.Fprintln(w, "# HELP mcptest_gateway_server_in_flight In-flight requests.\n# TYPE "+
		"mcptest_gateway_server_in_flight gauge")
	for _, h := range servers {
		fmt.Fprintf(w, "mcptest_gateway_server_in_flight{server=%q} %d\n", h.Server, h.InFlight)
	}
	fmt.Fprintln(w, "# HELP mcptest_gateway_server_processes Processes of a server, or sessions with it at a URL.\n"+
		"# TYPE mcptest_gateway_server_processes gauge")
	for _, h := range servers {
		fmt.Fprintf(w, "mcptest_gateway_server_processes{server=%q} %d\n", h.Server, h.Processes)
	}
	fmt.Fprintf(w, "# HELP mcptest_gateway_sessions Open sessions.\n# TYPE mcptest_gateway_sessions "+
		"gauge\nmcptest_gateway_sessions %d\n", sessions)
}

func writeHistogram(w io.Writer, key series, h *latency.Histogram) {
	const name = "mcptest_gateway_call_duration_seconds"
	labels := fmt.Sprintf("server=%q,outcome=%q", key.server, key.outcome)
	for bound, n := range h.Cumulative() {
		fmt.Fprintf(w, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, bound.Seconds(), n)
	}
	fmt.Fprintf(w, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, labels, h.Count())
	fmt.Fprintf(w, "%s_sum{%s} %g\n", name, labels, h.Sum.Seconds())
	fmt.Fprintf(w, "%s_count{%s} %d\n", name, labels, h.Count())
}

package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/callmetrics"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// statusTools is the default number of tools in a status.
const statusTools = 1000

// metrics count the calls of the gateway.
type metrics struct {
	started time.Time
	metrics callmetrics.Calls
	meter   status.Meter
}

// observe counts one call. Other records are not counted.
func (f *metrics) observe(record invoke.Record) {
	if record.Action == "" {
		f.metrics.Observe(record)
		f.meter.Observe(record)
	}
}

// status returns the current status of the gateway.
func (r *gatewayRun) status(tools int) status.Status {
	s := status.Status{Version: r.w.Version, Time: time.Now(), Started: r.figures.started, Leaving: r.leaving.Load(),
		Sessions: r.endpoint.Sessions(),
		Servers:  []status.Server{}, Tools: r.back.Tools()}
	for _, h := range r.back.Health() {
		s.Servers = append(s.Servers, status.Server{Name: h.Server, State: h.State, Error: r.w.Secrets.Text(h.Error),
			Since: h.Since, Next: h.Next, Revision: h.Revision,
			Processes: h.Processes, InFlight: h.InFlight, Waiting: h.Waiting, Requests: h.Calls, Lost: h.Failed})
	}
	r.figures.meter.Fill(&s, tools)
	s.Quarantined = r.counter.quarantined(r.w.Secrets.Text)
	s.QuarantinedCount = len(s.Quarantined)
	s.Quarantined = s.Quarantined[:min(len(s.Quarantined), statusQuarantined)]
	return s
}

// showStatus handles GET /status. It includes all servers and callers, so it is limited to callers that may
// manage the gateway.
func (r *gatewayRun) showStatus(w http.ResponseWriter, req *http.Request) {
	tools, ok := r.statusRequest(w, req, "tools", statusTools)
	if !ok {
		return
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	now := r.status(tools)
	if query := req.URL.Query().Get("q"); query != "" {
		now.Tools = r.found(now.Tools, query)
	}
	_ = enc.Encode(now) // a disconnected client misses it
}

// found returns the tools that match a query, best match first.
func (r *gatewayRun) found(tools []status.Tool, query string) []status.Tool {
	hits := []status.Tool{}
	if r.counter == nil { // a transparent gateway has no catalog
		return slices.DeleteFunc(tools, func(t status.Tool) bool {
			return !strings.Contains(strings.ToLower(t.Tool),
				strings.ToLower(query))
		})
	}
	for _, hit := range r.counter.tools.Search([]string{query}, catalog.Filter{Limit: statusTools}) {
		for _, t := range tools {
			if t.Server == hit.Tool.Server && t.Tool == hit.Tool.Name {
				hits = append(hits, t)
			}
		}
	}
	return hits
}

// A meteredBackend counts and logs the calls of a backend that does not do so itself.
type meteredBackend struct {
	backend
	observe func(invoke.Record)
	log     *slog.Logger
}

// Answer counts and logs tool calls.
func (m meteredBackend) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	if c.Method != "tools/call" {
		return m.backend.Answer(ctx, c)
	}
	start := time.Now()
	result, bad := m.backend.Answer(ctx, c)
	record := invoke.Record{Time: start, Caller: c.Peer.Caller, Tool: invoke.SanitizeName(c.Text("name")),
		Arguments: c.Fields["arguments"], Elapsed: time.Since(start),
		Outcome: string(invoke.StatusOf(result))}
	if bad != nil {
		record.Outcome = "ToolExecutionError"
	}
	if servers := m.Health(); len(servers) == 1 {
		record.Server = servers[0].Server
	}
	m.observe(record)
	m.log.Info("tool call", "tool", record.Server+"/"+record.Tool, "caller", record.Caller, "arguments",
		invoke.Shape(record.Arguments),
		"duration_ms", invoke.Milliseconds(record.Elapsed), "outcome", record.Outcome)
	return result, bad
}

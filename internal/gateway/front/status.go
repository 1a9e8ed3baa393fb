package front

import (
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// mostTools is how many tools of the catalog a Status lists.
const mostTools = 200

// A Status is what a gateway shows people of itself: what a caller may see of it.
type Status struct {
	Time     time.Time      `json:"time"` // of this status, so that two of them give a rate
	Started  time.Time      `json:"started"`
	Sessions int            `json:"sessions"`
	Servers  []ServerStatus `json:"servers"`
	Total    int            `json:"total"` // tools of the catalog
	Tools    []ToolStatus   `json:"tools"` // those that were searched for, or the first ones
}

// A ServerStatus is how one server is doing and how its calls have gone.
type ServerStatus struct {
	Name     string           `json:"name"`
	State    upstream.State   `json:"state"`
	Error    string           `json:"error,omitempty"`
	Revision string           `json:"revision,omitempty"`
	Silence  time.Duration    `json:"silence_ns"`
	InFlight int              `json:"in_flight"`
	Waiting  int              `json:"waiting"`
	Tools    int              `json:"tools"`
	Calls    int64            `json:"calls"`
	Outcomes map[string]int64 `json:"outcomes,omitempty"`
	P50      time.Duration    `json:"p50_ns"`
	P95      time.Duration    `json:"p95_ns"`
	P99      time.Duration    `json:"p99_ns"`
}

// A ToolStatus is a tool of the catalog.
type ToolStatus struct {
	Name        string   `json:"name"` // as clients call it
	Tool        string   `json:"tool"`
	Server      string   `json:"server"`
	Version     int      `json:"version"`
	Description string   `json:"description,omitempty"`
	Stale       bool     `json:"stale,omitempty"`
	Score       float64  `json:"score,omitempty"` // of a search
	Matched     []string `json:"matched,omitempty"`
}

// Status tells what the caller may see, with the tools that fit the query.
func (g *Gateway) Status(caller *access.Caller, m *Metrics, query string) Status {
	s := Status{Time: time.Now(), Started: g.started, Servers: []ServerStatus{}, Tools: []ToolStatus{}}
	allow := func(t *catalog.Tool) bool { return caller.May(t.Server, t.Name) }
	all := g.opts.Catalog.List(catalog.Filter{Allow: allow})
	tools := map[string]int{}
	for i := range all {
		tools[all[i].Server]++
	}
	for _, h := range g.Health() {
		if caller.Sees(h.Server) {
			s.Servers = append(s.Servers, m.status(h, tools[h.Server]))
		}
	}
	s.Total = len(all)
	if query == "" {
		for i := range all[:min(len(all), mostTools)] {
			s.Tools = append(s.Tools, g.toolStatus(&all[i]))
		}
		return s
	}
	for _, hit := range g.opts.Catalog.Search([]string{query}, catalog.Filter{Allow: allow, Limit: mostTools}) {
		t := g.toolStatus(&hit.Tool)
		t.Score, t.Matched = hit.Score, hit.Matched
		s.Tools = append(s.Tools, t)
	}
	return s
}

func (g *Gateway) toolStatus(t *catalog.Tool) ToolStatus {
	return ToolStatus{Name: Expose(t.Server, t.Name, maxName-g.opts.Prefix), Tool: t.Name, Server: t.Server, Version: t.Version,
		Description: t.Description, Stale: t.Stale}
}

// Status tells how the one server behind it is doing. It has no catalog.
func (t *Transparent) Status(caller *access.Caller, m *Metrics, _ string) Status {
	s := Status{Time: time.Now(), Servers: []ServerStatus{}, Tools: []ToolStatus{}}
	if h := t.server.Health(); caller.Sees(h.Server) {
		s.Servers = append(s.Servers, m.status(h, 0))
	}
	return s
}

// status joins what is known of a server with how its calls have gone.
func (m *Metrics) status(h upstream.Health, tools int) ServerStatus {
	s := ServerStatus{Name: h.Server, State: h.State, Error: h.Error, Revision: h.Revision, Silence: h.Silence, InFlight: h.InFlight,
		Waiting: h.Waiting, Tools: tools, Calls: h.Calls, Outcomes: map[string]int64{}}
	var joined histogram
	m.mu.Lock()
	for key, one := range m.calls {
		if key.server != h.Server {
			continue
		}
		for i, n := range one.counts {
			joined.counts[i] += n
			s.Outcomes[key.outcome] += n
		}
	}
	m.mu.Unlock()
	s.P50, s.P95, s.P99 = joined.quantile(0.5), joined.quantile(0.95), joined.quantile(0.99)
	return s
}

// quantile is the time within which the share of calls ended, taken as evenly spread within its bucket; 0 without calls.
func (h *histogram) quantile(share float64) time.Duration {
	total := int64(0)
	for _, n := range h.counts {
		total += n
	}
	want, seen := share*float64(total), 0.0
	for i, n := range h.counts {
		if n == 0 || seen+float64(n) < want {
			seen += float64(n)
			continue
		}
		if i == len(bounds) {
			return bounds[i-1] // longer than the longest bucket
		}
		low := time.Duration(0)
		if i > 0 {
			low = bounds[i-1]
		}
		return low + time.Duration(float64(bounds[i]-low)*(want-seen)/float64(n))
	}
	return 0
}

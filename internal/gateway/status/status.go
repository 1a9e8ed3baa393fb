// Package status tells how a gateway is doing: its servers, how many calls it makes, how long they take, the last ones. It
// is what the live view, the inspector and whoever asks over HTTP are shown.
package status

import (
	"cmp"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// A Status is a gateway at one moment. It holds no argument and no result.
type Status struct {
	Version   string    `json:"version"`
	Time      time.Time `json:"time"`
	Started   time.Time `json:"started"`
	Leaving   bool      `json:"leaving"` // it was told to stop
	Sessions  int       `json:"sessions"`
	Servers   []Server  `json:"servers"`
	Calls     Calls     `json:"calls"`
	ToolCount int       `json:"tool_count"` // of all servers; tools may hold fewer
	Tools     []Tool    `json:"tools"`      // the most called first
	Recent    []Call    `json:"recent"`     // the latest first
}

// A Server is how one server behind the gateway is doing.
type Server struct {
	Name     string         `json:"name"`
	State    upstream.State `json:"state"`
	Error    string         `json:"error,omitempty"` // why it is not ready
	Since    time.Time      `json:"since"`           // it is in this state
	Revision string         `json:"revision,omitempty"`
	Tools    int            `json:"tools"`
	Stale    int            `json:"stale"` // tools that are known from before
	InFlight int            `json:"in_flight"`
	Waiting  int            `json:"waiting"`
	Requests int64          `json:"requests"` // sent to it since the start
	Lost     int64          `json:"lost"`     // of them without an answer
	Calls    Calls          `json:"calls"`
}

// Calls are the figures of tool calls: the rate and the times of the last minute, the counts since the start.
type Calls struct {
	PerSecond float64 `json:"per_second"` // over the last ten seconds
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Total     int64   `json:"total"`
	Errors    int64   `json:"errors"` // that ended in any other way than SUCCESS
}

// A Tool is a tool of a server and how it is used.
type Tool struct {
	Name    string  `json:"name"` // by which clients see it
	Server  string  `json:"server"`
	Tool    string  `json:"tool"` // by which the server knows it
	Version int     `json:"version,omitempty"`
	About   string  `json:"description,omitempty"`
	Stale   bool    `json:"stale,omitempty"`
	Calls   int64   `json:"calls"`
	Errors  int64   `json:"errors"`
	Mean    float64 `json:"mean_ms"`
	Slowest float64 `json:"max_ms"`
}

// A Call is one call that has ended.
type Call struct {
	Time    time.Time `json:"time"` // when it began
	Caller  string    `json:"caller"`
	Server  string    `json:"server"`
	Tool    string    `json:"tool"`
	Outcome string    `json:"outcome"` // SUCCESS, FAILURE or the type of the error
	Elapsed float64   `json:"elapsed_ms"`
	Trace   string    `json:"trace,omitempty"`
}

// Fill adds what the meter knows to a status with its servers and tools, and keeps at most so many tools.
func (m *Meter) Fill(s *Status, maxTools int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	s.Calls, s.Recent = m.all.figures(now), m.recent()
	at := map[string]*Server{}
	for i := range s.Servers {
		server := &s.Servers[i]
		at[server.Name] = server
		if w := m.servers[server.Name]; w != nil {
			server.Calls = w.figures(now)
		}
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		if server := at[t.Server]; server != nil {
			server.Tools++
			if t.Stale {
				server.Stale++
			}
		}
		if u := m.tools[key{t.Server, t.Tool}]; u != nil {
			t.Calls, t.Errors, t.Slowest = u.calls, u.errors, milliseconds(u.slowest)
			t.Mean = milliseconds(u.sum) / float64(u.calls)
		}
	}
	s.ToolCount = len(s.Tools)
	slices.SortStableFunc(s.Tools, func(a, b Tool) int { return cmp.Compare(b.Calls, a.Calls) })
	s.Tools = s.Tools[:min(len(s.Tools), maxTools)]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

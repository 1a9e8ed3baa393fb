// Package status reports the state of a gateway: its servers, the number and duration of calls, the last calls. It is
// used by the live view, the inspector and the HTTP status endpoint.
package status

import (
	"cmp"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// A Status is a snapshot of a gateway. It contains no arguments and no results.
type Status struct {
	Version   string    `json:"version"`
	Time      time.Time `json:"time"`
	Started   time.Time `json:"started"`
	Leaving   bool      `json:"leaving"` // it is shutting down
	Sessions  int       `json:"sessions"`
	Servers   []Server  `json:"servers"`
	Calls     Calls     `json:"calls"`
	ToolCount int       `json:"tool_count"` // of all servers; tools may contain fewer
	Tools     []Tool    `json:"tools"`      // most called first
	Recent    []Call    `json:"recent"`     // latest first

	QuarantinedCount int               `json:"quarantined_count"` // definitions that wait for an approval
	Quarantined      []quarantine.Item `json:"quarantined"`       // the first of them
}

// A Server is the state of one server behind the gateway.
type Server struct {
	Name     string         `json:"name"`
	State    upstream.State `json:"state"`
	Error    string         `json:"error,omitempty"`       // why it is not ready
	Since    time.Time      `json:"since"`                 // when it entered this state
	Next     time.Time      `json:"next_attempt,omitzero"` // when it is contacted again, if it is down
	Revision string         `json:"revision,omitempty"`
	Tools    int            `json:"tools"`
	Stale    int            `json:"stale"` // tools listed before it went down
	// of the server, or sessions with it at a URL: the shared one, and those of callers and sessions
	Processes int   `json:"processes"`
	InFlight  int   `json:"in_flight"`
	Waiting   int   `json:"waiting"`
	Requests  int64 `json:"requests"` // sent to it since the start
	Lost      int64 `json:"lost"`     // of them without a response
	Calls     Calls `json:"calls"`
}

// Calls are the figures of tool calls: the rate and durations of the last minute, the counts since the start.
type Calls struct {
	PerSecond float64 `json:"per_second"` // over the last ten seconds
	P50       float64 `json:"p50_ms"`
	P99       float64 `json:"p99_ms"`
	Total     int64   `json:"total"`
	Errors    int64   `json:"errors"` // that ended with any status other than SUCCESS
}

// A Tool is a tool of a server and its usage.
type Tool struct {
	Name    string  `json:"name"` // the name that clients see
	Server  string  `json:"server"`
	Tool    string  `json:"tool"` // the name on the server
	Version int     `json:"version,omitempty"`
	About   string  `json:"description,omitempty"`
	Stale   bool    `json:"stale,omitempty"`
	Refused string  `json:"quarantined,omitempty"` // why it may not be called
	Calls   int64   `json:"calls"`
	Errors  int64   `json:"errors"`
	Mean    float64 `json:"mean_ms"`
	Slowest float64 `json:"max_ms"`
}

// A Call is one finished call.
type Call struct {
	Time    time.Time `json:"time"` // when it started
	Caller  string    `json:"caller"`
	Server  string    `json:"server"`
	Tool    string    `json:"tool"`
	Outcome string    `json:"outcome"` // SUCCESS, FAILURE or the type of the error
	Elapsed float64   `json:"elapsed_ms"`
	Trace   string    `json:"trace,omitempty"`
}

// Fill adds the data of the meter to a status with its servers and tools, and keeps at most this many tools.
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

package status

import (
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
)

// Limits of the data in a meter, regardless of servers and clients.
const (
	maxRecent  = 50
	maxServers = 200
	maxTools   = 20_000
)

// A Meter counts calls. The zero value is ready.
type Meter struct {
	Clock func() time.Time // nil means the current time

	mu      sync.Mutex
	all     window
	servers map[string]*window
	tools   map[key]*usage
	last    [maxRecent]Call
	count   int // total number of calls that were added to last
}

type key struct{ server, tool string }

// A usage is the data of one tool.
type usage struct {
	calls, errors int64
	sum, slowest  time.Duration
}

// Observe counts one call that has ended.
func (m *Meter) Observe(r invoke.Record) {
	failed := r.Outcome != string(invoke.Success)
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.all.add(now, r.Elapsed, failed)
	if w := m.server(r.Server); w != nil {
		w.add(now, r.Elapsed, failed)
	}
	if r.Outcome != invoke.UnknownTool { // otherwise the client invented the name
		m.use(r, failed)
	}
	m.last[m.count%maxRecent] = Call{Time: r.Time, Caller: r.Caller, Server: r.Server, Tool: r.Tool, Outcome: r.Outcome,
		Elapsed: milliseconds(r.Elapsed), Trace: r.Trace}
	m.count++
}

// use counts a call of a tool.
func (m *Meter) use(r invoke.Record, failed bool) {
	u := m.tool(key{r.Server, r.Tool})
	if u == nil {
		return
	}
	u.calls++
	u.sum += r.Elapsed
	u.slowest = max(u.slowest, r.Elapsed)
	if failed {
		u.errors++
	}
}

func (m *Meter) now() time.Time {
	if m.Clock != nil {
		return m.Clock()
	}
	return time.Now()
}

// server returns the window of a server; nil if there are too many.
func (m *Meter) server(name string) *window {
	w := m.servers[name]
	if w == nil && len(m.servers) < maxServers {
		if m.servers == nil {
			m.servers = map[string]*window{}
		}
		w = &window{}
		m.servers[name] = w
	}
	return w
}

// tool returns the usage of a tool; nil if there are too many.
func (m *Meter) tool(k key) *usage {
	u := m.tools[k]
	if u == nil && len(m.tools) < maxTools {
		if m.tools == nil {
			m.tools = map[key]*usage{}
		}
		u = &usage{}
		m.tools[k] = u
	}
	return u
}

// recent returns the last calls, latest first.
func (m *Meter) recent() []Call {
	calls := make([]Call, 0, min(m.count, maxRecent))
	for i := m.count - 1; i >= max(0, m.count-maxRecent); i-- {
		calls = append(calls, m.last[i%maxRecent])
	}
	return calls
}

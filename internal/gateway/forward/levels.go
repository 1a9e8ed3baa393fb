package forward

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// The log levels, the least severe first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// SetLevel stores the log level of a session and returns the least severe of all sessions.
func (f *Forwarder) SetLevel(p *serve.Peer, level string) string {
	f.levels.Store(p, slices.Index(levels, level))
	lowest := len(levels) - 1
	f.levels.Range(func(_, set any) bool { lowest = min(lowest, set.(int)); return true })
	return levels[max(lowest, 0)]
}

// Level returns the log level that a session has set; "" if it has not.
func (f *Forwarder) Level(p any) string {
	if level, ok := f.levels.Load(p); ok && level.(int) >= 0 {
		return levels[level.(int)]
	}
	return ""
}

// Forget deletes the log level of a session that has ended.
func (f *Forwarder) Forget(p *serve.Peer) { f.levels.Delete(p) }

// AcceptsLog reports whether a session has enabled log messages of this level.
func (f *Forwarder) AcceptsLog(p *serve.Peer, params json.RawMessage) bool {
	least, ok := f.levels.Load(p)
	return !ok || slices.Index(levels, serve.Text(serve.Members(params)["level"])) >= least.(int)
}

// acceptsLog reports whether the client of a request has enabled log messages of this level: a modern client in the
// request, a legacy client with logging/setLevel.
func (f *Forwarder) acceptsLog(c *serve.Call, params json.RawMessage) bool {
	if c.Era == spec.Legacy {
		return f.AcceptsLog(c.Peer, params)
	}
	least := slices.Index(levels, serve.Text(c.Meta[serve.MetaLogLevel]))
	return least >= 0 && slices.Index(levels, serve.Text(serve.Members(params)["level"])) >= least
}

package forward

import (
	"bytes"
	"encoding/json"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// toModernMeta adds to a request of a legacy client what a modern server reads from each request: the capabilities that
// the client declared in initialize, and the log level that it set.
func (f *Forwarder) toModernMeta(c *serve.Call, meta map[string]json.RawMessage) map[string]json.RawMessage {
	if c.Peer.Capabilities != nil {
		meta = serve.With(meta, serve.MetaCapabilities, f.capabilities.of(c.Peer.Capabilities))
	}
	if level := f.Level(c.Peer); level != "" {
		meta = serve.With(meta, serve.MetaLogLevel, rawjson.Quote(level))
	}
	return meta
}

// modernCapabilities keeps the last result of followingTasks: the calls of one client follow each other.
type modernCapabilities struct {
	last atomic.Pointer[[2]json.RawMessage] // capabilities and result
}

func (m *modernCapabilities) of(capabilities json.RawMessage) json.RawMessage {
	if last := m.last.Load(); last != nil && bytes.Equal(last[0], capabilities) {
		return last[1]
	}
	result := followingTasks(capabilities)
	m.last.Store(&[2]json.RawMessage{capabilities, result})
	return result
}

// followingTasks is the capabilities of a legacy client in modern form. It need not support tasks: the gateway polls
// them on its behalf.
func followingTasks(capabilities json.RawMessage) json.RawMessage {
	members := serve.Members(capabilities)
	extensions := serve.With(serve.Members(members["extensions"]), mcp.TasksExtension, json.RawMessage(`{}`))
	return serve.Object(serve.With(serve.With(members, "extensions", serve.Object(extensions)), "tasks", nil))
}

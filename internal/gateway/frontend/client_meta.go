package frontend

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// toModernMeta adds to a request of a legacy client what a modern server reads from each request: the capabilities that
// the client declared in initialize, and the log level that it set.
func (f *forwarder) toModernMeta(c *serve.Call, meta map[string]json.RawMessage) map[string]json.RawMessage {
	if c.Peer.Capabilities != nil {
		meta = with(meta, serve.MetaCapabilities, followingTasks(c.Peer.Capabilities))
	}
	if level, ok := f.levels.Load(c.Peer); ok && level.(int) >= 0 {
		meta = with(meta, serve.MetaLogLevel, quoted(levels[level.(int)]))
	}
	return meta
}

// followingTasks is the capabilities of a legacy client in modern form. It need not support tasks: the gateway polls
// them on its behalf.
func followingTasks(capabilities json.RawMessage) json.RawMessage {
	members := serve.Members(capabilities)
	extensions := with(serve.Members(members["extensions"]), tasksExtension, raw(`{}`))
	return object(with(with(members, "extensions", object(extensions)), "tasks", nil))
}

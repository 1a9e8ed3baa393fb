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
func (f *Forwarder) toModernMeta(p Request, meta map[string]json.RawMessage) map[string]json.RawMessage {
	c, capabilities := p.Call, &f.capabilities
	if p.Server.MakesTasks() {
		capabilities = &f.taskCapabilities
	}
	if c.Peer.Capabilities != nil {
		meta = serve.With(meta, serve.MetaCapabilities, capabilities.of(c.Peer.Capabilities, p.Server.MakesTasks()))
	}
	if level := f.Level(c.Peer); level != "" {
		meta = serve.With(meta, serve.MetaLogLevel, rawjson.Quote(level))
	}
	return meta
}

// modernCapabilities keeps the last result of toModernCapabilities: the calls of one client follow each other.
type modernCapabilities struct {
	last atomic.Pointer[[2]json.RawMessage] // capabilities and result
}

func (m *modernCapabilities) of(capabilities json.RawMessage, tasks bool) json.RawMessage {
	if last := m.last.Load(); last != nil && bytes.Equal(last[0], capabilities) {
		return last[1]
	}
	result := toModernCapabilities(capabilities, tasks)
	m.last.Store(&[2]json.RawMessage{capabilities, result})
	return result
}

// toModernCapabilities is the capabilities of a legacy client in modern form, for a server that makes tasks or not. The
// client need not support tasks: the gateway polls them on its behalf. A server without tasks is spared the extension, which
// takes it a tenth of the time of a short call to read.
func toModernCapabilities(capabilities json.RawMessage, tasks bool) json.RawMessage {
	members := serve.With(serve.Members(capabilities), "tasks", nil)
	if tasks {
		extensions := serve.With(serve.Members(members["extensions"]), mcp.TasksExtension, json.RawMessage(`{}`))
		members = serve.With(members, "extensions", serve.Object(extensions))
	}
	return serve.Object(members)
}

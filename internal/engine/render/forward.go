package render

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxForwarded limits the requests of a view in one scene.
const maxForwarded = 200

// A forwarder sends requests of a view to the server, if they are allowed.
type forwarder struct {
	options *Options

	mu      sync.Mutex
	count   int
	foreign []string
}

// take returns the calls that were rejected since the last time.
func (f *forwarder) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.foreign
	f.foreign, f.count = nil, 0
	return all
}

func (f *forwarder) answer(ctx context.Context, in viewRequest) viewReply {
	f.mu.Lock()
	f.count++
	over := f.count > maxForwarded
	f.mu.Unlock()
	params := json.RawMessage(in.ParamsJSON)
	switch {
	case over:
		return refuse(-32000, "too many requests of this view")
	case in.ParamsJSON != "" && !json.Valid(params):
		return refuse(-32602, "params are not JSON")
	}
	switch in.Method {
	case "tools/call":
		if name := schema.TextAt(params, "/name"); !f.isForApp(name) {
			f.mu.Lock()
			if len(f.foreign) < maxPerRule && !slices.Contains(f.foreign, name) {
				f.foreign = append(f.foreign, clip.Text(name, 100))
			}
			f.mu.Unlock()
			return refuse(-32000, "not a tool for apps: "+clip.Text(name, 100))
		}
	case "tools/list":
		tools := []json.RawMessage{}
		for _, tool := range f.options.Tools {
			if appview.ReadTool(tool).ForApp() {
				tools = append(tools, tool)
			}
		}
		return viewReply{ResultJSON: string(mcp.Object("tools", tools))}
	case "resources/read", "resources/list", "resources/templates/list":
	default:
		return refuse(-32601, "a view cannot send "+clip.Text(in.Method, 60)+" to the server")
	}
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	result, failure := f.options.Request(ctx, in.Method, params)
	return viewReply{ResultJSON: string(result), ErrorJSON: string(failure)}
}

func (f *forwarder) isForApp(name string) bool {
	return slices.ContainsFunc(f.options.Tools, func(tool json.RawMessage) bool {
		return schema.TextAt(tool, "/name") == name && appview.ReadTool(tool).ForApp()
	})
}

func refuse(code int, message string) viewReply {
	return viewReply{ErrorJSON: string(mcp.Object("code", code, "message", message))}
}

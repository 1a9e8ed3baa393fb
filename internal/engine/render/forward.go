package render

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
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
	scope := appview.ScopeOf(schema.TextAt(f.options.Tool, "/name"), f.options.Resource.URI)
	switch in.Method {
	case "tools/call":
		name := schema.TextAt(params, "/name")
		listed, refused := scope.Tool(f.options.Tools, name)
		if refused != nil {
			f.note(name)
			return refuse(refused.Code, refused.Message)
		}
		arguments, ok := schema.Get(params, "/arguments")
		if !ok {
			arguments = json.RawMessage(`{}`)
		}
		params = mcp.Object("name", listed, "arguments", arguments)
	case "tools/list":
		return viewReply{ResultJSON: string(mcp.Object("tools", scope.Tools(f.options.Tools)))}
	case "resources/read":
		uri, ok := scope.URI(schema.TextAt(params, "/uri"))
		if !ok {
			return refuse(-32000, "a resource of another server")
		}
		params = mcp.Object("uri", uri)
	case "resources/list", "resources/templates/list":
	default:
		return refuse(-32601, "a view cannot send "+clip.Text(in.Method, 60)+" to the server")
	}
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	result, failure := f.options.Request(ctx, in.Method, params)
	if strings.HasSuffix(in.Method, "/list") && failure == nil {
		result = scope.Resources(result)
	}
	return viewReply{ResultJSON: string(result), ErrorJSON: string(failure)}
}

// note remembers a call that was rejected.
func (f *forwarder) note(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name = clip.Text(name, 100); len(f.foreign) < maxPerRule && !slices.Contains(f.foreign, name) {
		f.foreign = append(f.foreign, name)
	}
}

func refuse(code int, message string) viewReply {
	return viewReply{ErrorJSON: string(mcp.Object("code", code, "message", message))}
}

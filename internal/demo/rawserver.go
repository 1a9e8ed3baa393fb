package demo

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A rawServer is a small MCP server with only tools that decodes as little as possible: a tool gets its
// arguments byte for byte, and its result is sent unchanged.
type rawServer struct {
	info         string // serverInfo, JSON
	instructions string
	tools        []rawTool

	// unknown handles a call of an unknown tool; nil returns the protocol error.
	unknown func(name string) string
	// anyCursor accepts cursors that the server has never issued.
	anyCursor bool
	// noise is written on a separate line before each response on a stream, if the response is to the method.
	noise map[string]string
}

// A rawTool is a tool of a rawServer.
type rawTool struct {
	name       string
	definition string // as listed by tools/list, JSON
	// call returns the result, a JSON object without the fields that the revision adds.
	call func(ctx context.Context, c *rawCall) (string, *serve.Error)
}

// A rawCall is one call of a tool.
type rawCall struct {
	arguments     json.RawMessage // nil when the request had none
	progressToken json.RawMessage // nil when the request had none
	notify        func(method string, params any)
	die           func(*Crash)
}

// A rawReply is the response to a request.
type rawReply struct {
	result string
	err    *serve.Error
}

func (r rawReply) bytes(id json.RawMessage) []byte {
	if r.err != nil {
		return serve.Failure(id, r.err)
	}
	return []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + r.result + `}`)
}

// respond handles one request by the rules of its revision.
func (s *rawServer) respond(ctx context.Context, m serve.Message, e spec.Era, c *rawCall) rawReply {
	if e == spec.Modern {
		return s.respondModern(ctx, m, c)
	}
	switch m.Method {
	case "initialize":
		return s.initialize(m.Params)
	case "ping":
		return rawReply{result: `{}`}
	case "tools/list":
		return s.list(m.Params)
	case "tools/call":
		return s.call(ctx, m.Params, c)
	}
	return rawReply{err: serve.MethodNotFound(m.Method)}
}

func (s *rawServer) respondModern(ctx context.Context, m serve.Message, c *rawCall) rawReply {
	var r rawReply
	cache := `"ttlMs":60000,"cacheScope":"public",`
	switch m.Method {
	case "server/discover":
		r.result = `{"supportedVersions":` + string(serve.Encode(serve.Revisions())) +
			`,"capabilities":{"tools":{}},"instructions":` +
			string(serve.Encode(s.instructions)) + `}`
	case "tools/list":
		r = s.list(m.Params)
	case "tools/call":
		r, cache = s.call(ctx, m.Params, c), ""
	default:
		r.err = serve.MethodNotFound(m.Method)
	}
	if r.err == nil {
		r.result = appendMembers(r.result, cache+`"resultType":"complete","_meta":{"`+serve.MetaServerInfo+`":`+s.info+
			`}`)
	}
	return r
}

// appendMembers appends fields to a non-empty object.
func appendMembers(object, more string) string { return object[:len(object)-1] + "," + more + "}" }

func (s *rawServer) initialize(params json.RawMessage) rawReply {
	p := serve.Members(params)
	var version string
	if json.Unmarshal(p["protocolVersion"], &version) != nil {
		return rawReply{err: serve.InvalidParams("protocolVersion is required and must be a string")}
	}
	for _, name := range []string{"capabilities", "clientInfo"} {
		if serve.Members(p[name]) == nil {
			return rawReply{err: serve.InvalidParams("%s is required and must be an object", name)}
		}
	}
	return rawReply{result: `{"protocolVersion":` + string(serve.Encode(serve.Negotiate(version))) +
		`,"capabilities":{"tools":{}},"serverInfo":` + s.info + `,"instructions":` +
		string(serve.Encode(s.instructions)) + `}`}
}

func (s *rawServer) list(params json.RawMessage) rawReply {
	if _, ok := serve.Members(params)["cursor"]; ok && !s.anyCursor {
		return rawReply{err: serve.InvalidParams("unknown cursor: the list has one page")}
	}
	definitions := make([]json.RawMessage, len(s.tools))
	for i, t := range s.tools {
		definitions[i] = json.RawMessage(t.definition)
	}
	return rawReply{result: `{"tools":` + string(serve.Encode(definitions)) + `}`}
}

func (s *rawServer) call(ctx context.Context, params json.RawMessage, c *rawCall) rawReply {
	p := serve.Members(params)
	var name string
	if json.Unmarshal(p["name"], &name) != nil {
		return rawReply{err: serve.InvalidParams("name is required and must be a string")}
	}
	i := slices.IndexFunc(s.tools, func(t rawTool) bool { return t.name == name })
	switch {
	case i < 0 && s.unknown != nil:
		return rawReply{result: s.unknown(name)}
	case i < 0:
		return rawReply{err: serve.InvalidParams("unknown tool %q", name)}
	}
	c.arguments = p["arguments"]
	c.progressToken = serve.Members(p["_meta"])["progressToken"]
	result, err := s.tools[i].call(ctx, c)
	return rawReply{result: result, err: err}
}

// textResult is a tool result with one text.
func textResult(text string) string {
	return `{"content":[{"type":"text","text":` + string(serve.Encode(text)) + `}]}`
}

// errorResult returns the result of a tool that failed.
func errorResult(text string) string {
	return `{"content":[{"type":"text","text":` + string(serve.Encode(text)) + `}],"isError":true}`
}

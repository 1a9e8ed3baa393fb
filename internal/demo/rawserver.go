package demo

import (
	"context"
	"encoding/json"
	"slices"
)

// A rawServer is a small MCP server with tools alone that never decodes what it does not have to: arguments reach a
// tool as the bytes that came, and what a tool returns leaves as it is.
type rawServer struct {
	info         string // serverInfo, JSON
	instructions string
	tools        []rawTool

	// unknown answers a call of a tool that does not exist; nil refuses it as the protocol asks.
	unknown func(name string) string
	// anyCursor accepts cursors that the server has never given out.
	anyCursor bool
	// noise is written before each reply on a stream, a line of its own, if the reply answers the method.
	noise map[string]string
}

// A rawTool is a tool of a rawServer.
type rawTool struct {
	name       string
	definition string // as it stands in tools/list, JSON
	// call returns the result, a JSON object without the members that the era adds.
	call func(ctx context.Context, c *rawCall) (string, *rpcError)
}

// A rawCall is one call of a tool.
type rawCall struct {
	arguments     json.RawMessage // nil when the request had none
	progressToken json.RawMessage // nil when the request had none
	notify        func(method string, params any)
	die           func(*Died)
}

// A rawReply is what a request is answered with.
type rawReply struct {
	result string
	err    *rpcError
}

func (r rawReply) bytes(id json.RawMessage) []byte {
	if r.err != nil {
		return failure(id, r.err)
	}
	return []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + r.result + `}`)
}

// answer serves one request by the rules of its era.
func (s *rawServer) answer(ctx context.Context, m message, e era, c *rawCall) rawReply {
	if e == modern {
		return s.answerModern(ctx, m, c)
	}
	switch m.method {
	case "initialize":
		return s.initialize(m.params)
	case "ping":
		return rawReply{result: `{}`}
	case "tools/list":
		return s.list(m.params)
	case "tools/call":
		return s.call(ctx, m.params, c)
	}
	return rawReply{err: methodNotFound(m.method)}
}

func (s *rawServer) answerModern(ctx context.Context, m message, c *rawCall) rawReply {
	var r rawReply
	cache := `"ttlMs":60000,"cacheScope":"public",`
	switch m.method {
	case "server/discover":
		r.result = `{"supportedVersions":` + string(encode(revisions())) + `,"capabilities":{"tools":{}},"instructions":` +
			string(encode(s.instructions)) + `}`
	case "tools/list":
		r = s.list(m.params)
	case "tools/call":
		r, cache = s.call(ctx, m.params, c), ""
	default:
		r.err = methodNotFound(m.method)
	}
	if r.err == nil {
		r.result = appendMembers(r.result, cache+`"resultType":"complete","_meta":{"`+metaServerInfo+`":`+s.info+`}`)
	}
	return r
}

// appendMembers adds members at the end of an object that has some already.
func appendMembers(object, more string) string { return object[:len(object)-1] + "," + more + "}" }

func (s *rawServer) initialize(params json.RawMessage) rawReply {
	p := members(params)
	var version string
	if json.Unmarshal(p["protocolVersion"], &version) != nil {
		return rawReply{err: invalidParams("protocolVersion is required and is a string")}
	}
	for _, name := range []string{"capabilities", "clientInfo"} {
		if members(p[name]) == nil {
			return rawReply{err: invalidParams("%s is required and is an object", name)}
		}
	}
	return rawReply{result: `{"protocolVersion":` + string(encode(negotiate(version))) +
		`,"capabilities":{"tools":{}},"serverInfo":` + s.info + `,"instructions":` + string(encode(s.instructions)) + `}`}
}

func (s *rawServer) list(params json.RawMessage) rawReply {
	if _, ok := members(params)["cursor"]; ok && !s.anyCursor {
		return rawReply{err: invalidParams("unknown cursor: the list has one page")}
	}
	definitions := make([]json.RawMessage, len(s.tools))
	for i, t := range s.tools {
		definitions[i] = json.RawMessage(t.definition)
	}
	return rawReply{result: `{"tools":` + string(encode(definitions)) + `}`}
}

func (s *rawServer) call(ctx context.Context, params json.RawMessage, c *rawCall) rawReply {
	p := members(params)
	var name string
	if json.Unmarshal(p["name"], &name) != nil {
		return rawReply{err: invalidParams("name is required and is a string")}
	}
	i := slices.IndexFunc(s.tools, func(t rawTool) bool { return t.name == name })
	switch {
	case i < 0 && s.unknown != nil:
		return rawReply{result: s.unknown(name)}
	case i < 0:
		return rawReply{err: invalidParams("unknown tool %q", name)}
	}
	c.arguments = p["arguments"]
	c.progressToken = members(p["_meta"])["progressToken"]
	result, err := s.tools[i].call(ctx, c)
	return rawReply{result: result, err: err}
}

// textResult is a tool result with one text.
func textResult(text string) string {
	return `{"content":[{"type":"text","text":` + string(encode(text)) + `}]}`
}

// errorResult is the result of a tool that could not do what it was asked.
func errorResult(text string) string {
	return `{"content":[{"type":"text","text":` + string(encode(text)) + `}],"isError":true}`
}

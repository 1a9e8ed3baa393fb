package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// unknown answers a request that the recording does not have: with a sample, from the upstream server, or with an
// error.
func (s *Server) unknown(ctx context.Context, c *serve.Call, params json.RawMessage) (json.RawMessage, *serve.Error) {
	if s.opts.Sample {
		if result, bad := s.sample(c); result != nil || bad != nil {
			return result, bad
		}
	}
	if s.opts.Upstream != nil {
		return s.forward(ctx, c)
	}
	return nil, s.missing(c, "no recorded response for these params: "+s.known(c, params))
}

// missing returns the error for a request that cannot be answered, and logs it.
func (s *Server) missing(c *serve.Call, why string) *serve.Error {
	s.log(nameOf(c) + ": " + why)
	return &serve.Error{Code: serve.CodeInternal, Message: "mock: " + nameOf(c) + ": " + why}
}

// maxDisplayed is the maximum length of params in a message.
const maxDisplayed = 200

// known returns what was requested and what the recording has instead.
func (s *Server) known(c *serve.Call, params json.RawMessage) string {
	var closest *recording.Exchange
	count := 0
	for _, x := range s.opts.Session.Exchanges {
		if x.Method != c.Method || !x.Answered() {
			continue
		}
		name, _ := schema.Get(x.Params, "/"+spec.NamedBy(c.Method))
		if text, _ := schema.Text(name); text == c.Text(spec.NamedBy(c.Method)) {
			closest = x
			count++
		}
	}
	asked := clip.Text(recording.Canonical(orEmpty(params)), maxDisplayed)
	if closest == nil {
		return asked + " (the recording has no such request)"
	}
	return fmt.Sprintf("%s (the recording has %s, such as %s)", asked, plural(count, "similar request"),
		clip.Text(recording.Canonical(orEmpty(closest.Params)), maxDisplayed))
}

func orEmpty(params json.RawMessage) json.RawMessage {
	if len(params) == 0 {
		return json.RawMessage("{}")
	}
	return params
}

// forward sends a request to the upstream server.
func (s *Server) forward(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	session, err := s.connected(ctx)
	if err != nil {
		return nil, s.missing(c, "not recorded, and the upstream server cannot be reached: "+err.Error())
	}
	s.log(nameOf(c) + ": not recorded, forwarded to the upstream server")
	between := serve.Boundary{Client: c.Era, Server: session.Era}
	fields := between.Without(serve.RequestParams, c.Fields)
	if c.Meta != nil {
		meta := map[string]json.RawMessage{}
		if token := c.Meta["progressToken"]; token != nil {
			meta["progressToken"] = token
		}
		copied := map[string]json.RawMessage{}
		for name, value := range fields {
			copied[name] = value
		}
		if copied["_meta"] = serve.Encode(meta); len(meta) == 0 {
			delete(copied, "_meta")
		}
		fields = copied
	}
	request := mcp.Request{Method: c.Method, Params: serve.Encode(fields), Manual: c.Era == spec.Modern,
		OnMessage: func(m mcp.Message) { c.Notify(m.Method, between.Notification(m.Params)) },
		Input: func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			return c.Ask(ctx, method, params)
		}}
	ex, err := session.Do(ctx, request)
	switch {
	case err != nil:
		return nil, s.missing(c, "not recorded, and the upstream server failed: "+err.Error())
	case ex.Reply.Error != nil:
		return nil, errorOf(between.Failure(c.Method, ex.Reply.Error))
	}
	return between.Result(c.Method, ex.Reply.Result), nil
}

// connected returns the session with the upstream server, which is opened at the first unknown request.
func (s *Server) connected(ctx context.Context) (*mcp.Session, error) {
	s.dialing.Lock()
	defer s.dialing.Unlock()
	if s.upstream != nil && s.upstream.Err() == nil {
		return s.upstream, nil
	}
	if s.ctx.Err() != nil {
		return nil, errors.New("the mock is stopping")
	}
	session, err := s.opts.Upstream(ctx)
	if err == nil {
		s.upstream = session
	}
	return session, err
}

// sample returns a result made from the definition of a tool, a prompt or a resource; nil if there is none.
func (s *Server) sample(c *serve.Call) (json.RawMessage, *serve.Error) {
	var result json.RawMessage
	switch name := c.Text(spec.NamedBy(c.Method)); c.Method {
	case "tools/call":
		tool := s.tools[name]
		if tool == nil {
			return nil, nil
		}
		if bad := invalid(tool, c.Fields["arguments"]); bad != nil {
			return nil, bad
		}
		result = sampleCall(tool)
	case "prompts/get":
		if s.prompts[name] == nil {
			return nil, nil
		}
		result = json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"sample"}}]}`)
	case "resources/read":
		if s.resources[name] == nil {
			return nil, nil
		}
		result = serve.Encode(map[string]any{"contents": []map[string]string{{"uri": name, "text": "sample"}}})
	default:
		return nil, nil
	}
	s.log(nameOf(c) + ": not recorded, answered with a sample")
	return serve.Boundary{Client: c.Era, Server: spec.Legacy}.Result(c.Method, result), nil
}

// invalid returns the error for arguments that the schema of a tool does not allow; nil if it allows them.
func invalid(tool, arguments json.RawMessage) *serve.Error {
	input, ok := schema.Get(tool, "/inputSchema")
	compiled, err := schema.Compile(input, nil)
	if !ok || err != nil {
		return nil
	}
	if violations := compiled.Validate(orEmpty(arguments)); len(violations) > 0 {
		return serve.InvalidParams("invalid arguments: %s", violations[0].Message)
	}
	return nil
}

// sampleCall returns a result of a tool: a value of its output schema, or a text.
func sampleCall(tool json.RawMessage) json.RawMessage {
	content := func(text string) []map[string]string { return []map[string]string{{"type": "text", "text": text}} }
	output, ok := schema.Get(tool, "/outputSchema")
	if !ok {
		return serve.Encode(map[string]any{"content": content("sample")})
	}
	value, err := schema.Sample(output, nil)
	if err != nil {
		return serve.Encode(map[string]any{"content": content(err.Error()), "isError": true})
	}
	return serve.Encode(map[string]any{"content": content(string(value)), "structuredContent": value})
}

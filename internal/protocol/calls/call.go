// Package calls is the single code path for tool calls, resource reads and prompt requests: prepare the
// arguments, send the request, check the response. Every surface and every engine uses it, so that all of them
// get the same verdict on the same response; each formats it in its own way.
package calls

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The methods that a Call can have.
const (
	Tool     = "tools/call"
	Resource = "resources/read"
	Prompt   = "prompts/get"
)

// A Call is one request for a tool, a resource or a prompt. A request with any other method is sent and checked
// only as a message.
type Call struct {
	Method     string
	Name       string          // of the tool or the prompt; the URI of the resource
	Arguments  json.RawMessage // sent byte for byte; nil sends none
	Params     json.RawMessage // the whole params, in place of name and arguments
	Definition json.RawMessage // as the server lists it; nil if it is not listed
	AsTask     bool            // run it as a task if the server supports it

	noticesBefore int // notices of the session before the request
}

// Watch assigns the notices of the session from now on to the call.
func (c *Call) Watch(s *mcp.Session) { c.noticesBefore = len(s.Notices()) }

// Request returns the request to send on a session, whose notices are assigned to the call from now on.
func (c *Call) Request(s *mcp.Session) mcp.Request {
	c.Watch(s)
	return mcp.Request{Method: c.Method, Params: c.SentParams(),
		Task: c.AsTask || c.Method == Tool && schema.TextAt(c.Definition, "/execution/taskSupport") == "required"}
}

// SentParams returns the params of the request, before the session adds to them; nil if there are none.
func (c *Call) SentParams() json.RawMessage {
	if c.Params != nil {
		return c.Params
	}
	switch c.Method {
	case Resource, "resources/subscribe", "resources/unsubscribe":
		return mcp.Object("uri", c.Name)
	case Tool, Prompt:
		if c.Arguments == nil {
			return mcp.Object("name", c.Name)
		}
		return mcp.Object("name", c.Name, "arguments", c.Arguments)
	}
	return nil
}

// Send sends the request and checks the response. An error means that there was no response.
func (c *Call) Send(ctx context.Context, s *mcp.Session, onProgress func(mcp.Progress)) (*Outcome, error) {
	request := c.Request(s)
	request.OnProgress = onProgress
	ex, err := s.Do(ctx, request)
	if err != nil {
		return nil, err
	}
	return &Outcome{Exchange: ex, Verdict: c.Evaluate(s, ex)}, nil
}

// An Outcome is the response to a call and the verdict on it.
type Outcome struct {
	*mcp.Exchange
	*Verdict
}

func elementsAt(doc json.RawMessage, pointer string) []json.RawMessage {
	raw, _ := schema.Get(doc, pointer)
	items, _ := schema.Elements(raw)
	return items
}

package inspector

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Codes of the errors that a view receives from us.
const (
	codeUnknownMethod = -32601
	codeInvalidParams = -32602
	codeRefused       = -32000
)

// RequestOfApp sends a request of a view to the server of its connection. Only tools that declare to be for apps can be
// called, and each call is in the history. A refusal is a reply, not an error.
func (i *Inspector) RequestOfApp(ctx context.Context, id, app string, in view.AppRequest) (view.AppReply, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.AppReply{}, err
	}
	a, err := c.app(app)
	if err != nil {
		return view.AppReply{}, err
	}
	if !a.limiter.Allow() {
		return refuse(codeRefused, "too many requests of this view"), nil
	}
	select {
	case a.running <- struct{}{}:
		defer func() { <-a.running }()
	default:
		return refuse(codeRefused, "too many requests of this view are in flight"), nil
	}
	params := json.RawMessage(in.ParamsJSON)
	if in.ParamsJSON != "" && syntaxOf(in.ParamsJSON) != nil {
		return refuse(codeInvalidParams, "params are not JSON"), nil
	}
	switch in.Method {
	case "tools/call":
		return c.callOfApp(ctx, a.scope, params)
	case "tools/list":
		tools, err := c.rawTools(ctx)
		return view.AppReply{ResultJSON: string(mcp.Object("tools", a.scope.Tools(tools)))}, err
	case "resources/read":
		return c.readForApp(ctx, a.scope, params)
	case "resources/list", "resources/templates/list":
		reply, err := c.forward(ctx, view.NewCall{Method: in.Method, ParamsJSON: objectOr(params)})
		reply.ResultJSON = string(a.scope.Resources(json.RawMessage(reply.ResultJSON)))
		return reply, err
	}
	return refuse(codeUnknownMethod, "a view cannot send "+clip.Text(in.Method, 60)+" to the server"), nil
}

// callOfApp calls a tool that is for apps.
func (c *conn) callOfApp(ctx context.Context, scope appview.Scope, params json.RawMessage) (view.AppReply, error) {
	tools, err := c.rawTools(ctx)
	if err != nil {
		return view.AppReply{}, err
	}
	name, refused := scope.Tool(tools, schema.TextAt(params, "/name"))
	if refused != nil {
		return refuse(refused.Code, refused.Message), nil
	}
	arguments, ok := schema.Get(params, "/arguments")
	if !ok {
		arguments = json.RawMessage(`{}`)
	}
	return c.forward(ctx, view.NewCall{Name: name, ArgumentsJSON: string(arguments), Anyway: true})
}

// readForApp reads a resource of the server of a view.
func (c *conn) readForApp(ctx context.Context, scope appview.Scope, params json.RawMessage) (view.AppReply, error) {
	asked := schema.TextAt(params, "/uri")
	uri, ok := scope.URI(asked)
	if !ok {
		return refuse(codeRefused, "a resource of another server: "+clip.Text(asked, 100)), nil
	}
	if uri != asked {
		params = mcp.Object("uri", uri)
	}
	return c.forward(ctx, view.NewCall{Method: "resources/read", ParamsJSON: objectOr(params)})
}

// rawTools returns the definitions of the tools.
func (c *conn) rawTools(ctx context.Context) ([]json.RawMessage, error) {
	list, err := c.list(ctx, "tools", false)
	if err != nil {
		return nil, err
	}
	tools := make([]json.RawMessage, len(list.Items))
	for n, item := range list.Items {
		tools[n] = item.Raw
	}
	return tools, nil
}

// forward sends a request and waits for its response.
func (c *conn) forward(ctx context.Context, in view.NewCall) (view.AppReply, error) {
	one, err := c.begin(ctx, in, true)
	if err != nil {
		return view.AppReply{}, err
	}
	select {
	case <-one.done:
	case <-ctx.Done():
		one.cancel(errCancelled)
		return view.AppReply{}, ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	reply := view.AppReply{Call: one.n}
	switch {
	case one.exchange == nil || one.exchange.Reply == nil:
		refused := refuse(codeRefused, "no response from the server")
		reply.ErrorJSON = refused.ErrorJSON
	case one.exchange.Reply.Error != nil:
		raw, _ := schema.Get(one.exchange.Reply.Frame.Body, "/error")
		reply.ErrorJSON = string(raw)
	default:
		reply.ResultJSON = string(one.exchange.Reply.Result)
	}
	return reply, nil
}

func refuse(code int, message string) view.AppReply {
	return view.AppReply{ErrorJSON: string(mcp.Object("code", code, "message", message))}
}

// objectOr returns params, or an empty object if there are none.
func objectOr(params json.RawMessage) string {
	if len(params) == 0 || schema.Kind(params) != '{' {
		return "{}"
	}
	return string(params)
}

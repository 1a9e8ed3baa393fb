package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// timeoutMargin is how much longer than the tool's limit the session waits: the invoker enforces the limit.
const timeoutMargin = 5 * time.Second

// callTool runs a tool, or a meta-tool of the gateway.
func (g *Gateway) callTool(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	name := c.Text("name")
	if g.opts.Expose != All && !strings.Contains(name, naming.Separator) && !g.shadows(ctx, c, name) {
		if result, bad, ok := g.callMeta(ctx, c, name); ok {
			return result, bad
		}
	}
	t, bad, err := g.called(ctx, c, name)
	switch {
	case bad != nil:
		return nil, bad
	case err != nil:
		return g.failed(err), nil
	case t == nil:
		if refused := g.refusedTool(c, name, c.Fields["arguments"]); refused != nil {
			return g.failed(refused), nil
		}
		return nil, g.unknownTool(c, name)
	}
	if c.Era == spec.Modern && c.Header != nil {
		if bad := paramMismatch(c, t.Raw); bad != nil {
			return nil, bad
		}
	}
	result, err := g.invoke(ctx, c, t, c.Fields["arguments"])
	return g.responseOf(result, err)
}

// called finds the tool of a call; nil if it does not exist for the client. If only the meta-tools are exposed, it is one
// that a view calls.
func (g *Gateway) called(ctx context.Context, c *serve.Call, name string) (*catalog.Tool, *serve.Error, error) {
	if g.opts.Expose == Meta && !supports(c, mcp.AppsExtension) {
		return nil, nil, nil
	}
	t, err := g.find(ctx, c, name)
	if err != nil || t != nil && (g.opts.Expose != Meta || t.ForApp()) {
		return t, nil, err
	}
	t, bad := g.calledByView(ctx, c, name)
	return t, bad, nil
}

// unknownTool rejects a call of a tool that does not exist for the client.
func (g *Gateway) unknownTool(c *serve.Call, name string) *serve.Error {
	g.noteUnknown(c, name, c.Fields["arguments"])
	return serve.InvalidParams("Unknown tool: %s", name)
}

// noteUnknown records that the client called a tool that does not exist for it.
func (g *Gateway) noteUnknown(c *serve.Call, name string, arguments json.RawMessage) {
	g.opts.Invoker.NoteUnknown(invocation(c, arguments), name)
}

// invoke runs a tool for a call, which may be that of a meta-tool.
func (g *Gateway) invoke(ctx context.Context, c *serve.Call, t *catalog.Tool,
	arguments json.RawMessage) (json.RawMessage, error) {
	if _, asked := c.Fields["task"]; asked && t.Run.Upstream == nil {
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: t.Key().String() + " does not support tasks"}
	}
	id := forward.TraceID(c)
	out, err := g.opts.Invoker.Invoke(ctx, invoke.Invocation{
		Tool: t, Arguments: arguments, Caller: c.Peer.Caller, Trace: id,
		Admit: func() error { return g.refusal(t.Run.Upstream) },
		Upstream: func(ctx context.Context, run *catalog.UpstreamRun, limit time.Duration) (json.RawMessage, error) {
			return g.callUpstream(ctx, c, t, run, arguments, id, limit)
		},
	})
	if err != nil {
		return nil, err
	}
	return out.Result, nil
}

func (g *Gateway) callUpstream(ctx context.Context, c *serve.Call, t *catalog.Tool, run *catalog.UpstreamRun,
	arguments json.RawMessage, id string, limit time.Duration) (json.RawMessage, error) {
	s := g.server(run.Server)
	if s == nil {
		return nil, &upstream.DownError{Server: run.Server, Err: errors.New("not in the gateway config")}
	}
	lease, err := g.lease(ctx, c, s)
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	s = lease.Server
	fields := serve.With(c.Fields, "name", rawjson.Quote(run.Tool))
	if arguments != nil {
		fields["arguments"] = arguments
	}
	session, err := s.Await(ctx, c.Era)
	if err != nil {
		return nil, err
	}
	p := forward.Request{Call: c, Server: s, Lease: lease, Era: session.Era, Method: "tools/call", Fields: fields,
		Trace: id, Timeout: limit + timeoutMargin, Admit: g.admission(s, quarantine.Tool, run.Tool)}
	if wish := taskWishOf(c, t, p.Era); wish.may || wish.await {
		p.Tasks, p.AsTask, p.Task = wish.may && (wish.want || p.Era == spec.Modern), wish.await, wish.task(c)
	}
	if p.Tasks {
		if err := g.tasks.room(c.Peer.Caller); err != nil {
			return nil, err
		}
		p.Token = g.forwarder.NewToken()
	}
	m, err := g.forwarder.Send(ctx, p)
	if err != nil {
		return nil, err
	}
	if m.Error != nil {
		return nil, m.Error
	}
	return exposeResult(s.Name, g.created(c, p, m.Result)), nil
}

// responseOf is the response to the client about a tool's outcome: what a model can act on is a result, the rest an
// error.
func (g *Gateway) responseOf(result json.RawMessage, err error) (json.RawMessage, *serve.Error) {
	if err == nil {
		return result, nil
	}
	var refused *mcp.RPCError
	var overloaded *upstream.OverloadedError
	var cancelled *invoke.CancellationError
	var missing *catalog.NotFoundError
	switch {
	case errors.As(err, &refused):
		refused = g.opts.Invoker.OutgoingError(refused)
		return nil, &serve.Error{Code: int(refused.Code), Message: refused.Message, Data: refused.Data}
	case errors.As(err, &overloaded):
		return nil, &serve.Error{Code: serve.CodeOverloaded, Message: err.Error()}
	case errors.As(err, &cancelled):
		return nil, &serve.Error{Code: serve.CodeInternal, Message: err.Error()} // the client does not wait for it
	case errors.As(err, &missing):
		return nil, serve.InvalidParams("Unknown tool: %s", missing.Key.Name)
	}
	return g.failed(err), nil
}

// failed is the result of a tool that was not run or failed.
func (g *Gateway) failed(err error) json.RawMessage {
	message := g.opts.Invoker.Message(err)
	about := map[string]any{"type": invoke.TypeOf(err), "message": message, "errors": []schema.Violation{}}
	var invalid *invoke.ValidationError
	var mistyped *invoke.TypeError
	var late *invoke.TimeoutError
	var starting *upstream.StartingError
	var broken *invoke.ToolExecutionError
	var quarantined *catalog.QuarantineError
	var unauthorized *upstream.AuthorizationError
	switch {
	case errors.As(err, &quarantined):
		maps.Copy(about, forward.QuarantineDetails(quarantined))
	case errors.As(err, &invalid):
		about["errors"], about["validators"] = orEmpty(invalid.Errors), invalid.Validators
	case errors.As(err, &mistyped):
		about["errors"], about["validators"] = mistyped.Errors, mistyped.Validators
	case errors.As(err, &starting):
		about["server"], about["state"], about["elapsed_ms"] = starting.Server, starting.State(),
			starting.Elapsed.Milliseconds()
	case errors.As(err, &unauthorized):
		maps.Copy(about, forward.AuthorizationDetails(unauthorized))
	case errors.As(err, &late):
		about["timeout_ms"], about["elapsed_ms"], about["tool"] = late.Limit.Milliseconds(),
			late.Elapsed.Milliseconds(), late.Tool
	case errors.As(err, &broken):
		about["tool"], about["context"] = broken.Tool, broken.Context // neither contains an argument value
		var refused *mcp.RPCError
		if errors.As(err, &refused) {
			about["code"] = refused.Code
			if refused.Data != nil {
				about["data"] = g.opts.Invoker.ScrubJSON(refused.Data)
			}
		}
		if broken.Result != nil {
			about["result"] = g.opts.Invoker.ScrubJSON(broken.Result)
		}
	}
	return serve.Object(map[string]json.RawMessage{
		"content":           serve.Encode([]map[string]string{{"type": "text", "text": message}}),
		"structuredContent": serve.Encode(about), "isError": raw("true"),
	})
}

func orEmpty(list []schema.Violation) []schema.Violation {
	if list == nil {
		return []schema.Violation{}
	}
	return list
}

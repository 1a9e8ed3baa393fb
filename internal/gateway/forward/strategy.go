package forward

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A strategy is one way to send a request: it determines how a server request reaches the client meanwhile.
type strategy struct {
	name string
	send func(f *Forwarder, ctx context.Context, p Request) (*mcp.Message, error)
}

// The strategies.
var (
	// relayed: the server's requests go to the client on the stream of its own request; if the server returns
	// input_required results, the session sends the requests instead and then retries.
	relayed = strategy{"relayed", (*Forwarder).sendRelayed}
	// returned: the client continues an input_required result or a task.
	returned = strategy{"returned", (*Forwarder).sendReturned}
	// pendingRequest: the server's requests become input_required results, and the request to the server stays open
	// meanwhile.
	pendingUntilResponse = strategy{"parked", (*Forwarder).sendParked}
	// followed: the client polls the task; until there is one, the server's requests go to a client that supports them.
	followed = strategy{"followed", (*Forwarder).sendFollowed}
)

// A kind of request, by the possible outcomes besides a result.
type kind int

const (
	plainRequest  kind = iota // nothing
	askingRequest             // input_required: for methods with several rounds
	taskRequest               // a task that the client polls
)

func (p Request) kind() kind {
	switch {
	case p.Tasks:
		return taskRequest
	case multiRound(p.Method):
		return askingRequest
	}
	return plainRequest
}

// strategies has one for each pair of eras and kind of request.
var strategies = map[serve.Boundary]map[kind]strategy{
	{Client: spec.Legacy, Server: spec.Legacy}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{Client: spec.Legacy, Server: spec.Modern}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{Client: spec.Modern, Server: spec.Legacy}: {plainRequest: returned, askingRequest: pendingUntilResponse,
		taskRequest: returned},
	{Client: spec.Modern, Server: spec.Modern}: {plainRequest: returned, askingRequest: returned,
		taskRequest: returned},
}

func strategyFor(p Request) strategy { return strategies[p.Boundary()][p.kind()] }

// multiRound reports whether the result of a method may request input from the client.
func multiRound(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// request is the request that all strategies send.
func (f *Forwarder) request(p Request) upstream.Request {
	c := p.Call
	return upstream.Request{Method: p.Method, Params: f.params(p), Era: c.Era, Timeout: p.Timeout, Owner: c.Peer,
		Caller: c.Peer.Caller, Trace: cmp.Or(p.Trace, traceOf(c)), Task: p.AsTask, Admit: p.Admit}
}

func (f *Forwarder) sendRelayed(ctx context.Context, p Request) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, x *exchange) { r.Input = x.requestInput })
}

func (f *Forwarder) sendReturned(ctx context.Context, p Request) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, _ *exchange) { r.Manual = true })
}

func (f *Forwarder) sendFollowed(ctx context.Context, p Request) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, x *exchange) { r.Manual, r.Input = true, x.requestInput })
}

// An exchange is a request to a server while the client waits.
type exchange struct {
	call     *serve.Call
	told     notificationQueue
	rejected rejectedInput
}

// sendOnce sends the request while the client waits, and forwards the notifications about it.
func (f *Forwarder) sendOnce(ctx context.Context, p Request,
	set func(*upstream.Request, *exchange)) (*mcp.Message, error) {
	r := f.request(p)
	x := exchange{call: p.Call}
	defer x.told.flush()
	r.OnMessage = func(m mcp.Message) {
		x.told.pass(func() { f.relay(p.Call, p.Boundary(), p.Call.Meta["progressToken"], m) })
	}
	set(&r, &x)
	m, _, err := p.Server.Do(ctx, r)
	return f.explain(m, &x.rejected), err
}

// requestInput forwards a server request to the client, after all earlier notifications of the server.
func (x *exchange) requestInput(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !Supports(x.call.Peer.Capabilities, method) {
		return nil, x.rejected.reject(method)
	}
	x.told.flush()
	return AsRPC(x.call.Ask(ctx, method, params))
}

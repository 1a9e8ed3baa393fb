package front

import (
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
	send func(f *forwarder, ctx context.Context, p passage) (*mcp.Message, error)
}

// The strategies.
var (
	// relayed: the server's requests go to the client on the stream of its own request; if the server returns
	// input_required results, the session sends the requests instead and then retries.
	relayed = strategy{"relayed", (*forwarder).sendRelayed}
	// returned: the client continues an input_required result or a task.
	returned = strategy{"returned", (*forwarder).sendReturned}
	// parked: the server's requests become input_required results, and the request to the server stays open meanwhile.
	parkedUntilAnswered = strategy{"parked", (*forwarder).sendParked}
	// followed: the client polls the task; until there is one, the server's requests go to a client that supports them.
	followed = strategy{"followed", (*forwarder).sendFollowed}
)

// A kind of request, by the possible outcomes besides a result.
type kind int

const (
	plainRequest  kind = iota // nothing
	askingRequest             // input_required: for methods with several rounds
	taskRequest               // a task that the client polls
)

func (p passage) kind() kind {
	switch {
	case p.tasks:
		return taskRequest
	case multiRound(p.method):
		return askingRequest
	}
	return plainRequest
}

// strategies has one for each pair of eras and kind of request.
var strategies = map[boundary]map[kind]strategy{
	{client: spec.Legacy, server: spec.Legacy}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{client: spec.Legacy, server: spec.Modern}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{client: spec.Modern, server: spec.Legacy}: {plainRequest: returned, askingRequest: parkedUntilAnswered, taskRequest: returned},
	{client: spec.Modern, server: spec.Modern}: {plainRequest: returned, askingRequest: returned, taskRequest: returned},
}

func strategyFor(p passage) strategy { return strategies[p.boundary()][p.kind()] }

// multiRound reports whether the result of a method may request input from the client.
func multiRound(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// request is the request that all strategies send.
func (f *forwarder) request(p passage) upstream.Request {
	c := p.call
	return upstream.Request{Method: p.method, Params: f.params(p), Era: c.Era, Timeout: p.timeout, Owner: c.Peer, Caller: c.Peer.Caller, Task: p.asTask}
}

func (f *forwarder) sendRelayed(ctx context.Context, p passage) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, told *relays) { r.Input = asking(p.call, told) })
}

func (f *forwarder) sendReturned(ctx context.Context, p passage) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, _ *relays) { r.Manual = true })
}

func (f *forwarder) sendFollowed(ctx context.Context, p passage) (*mcp.Message, error) {
	return f.sendOnce(ctx, p, func(r *upstream.Request, told *relays) { r.Manual, r.Input = true, asking(p.call, told) })
}

// sendOnce sends the request while the client waits, and forwards the notifications about it.
func (f *forwarder) sendOnce(ctx context.Context, p passage, set func(*upstream.Request, *relays)) (*mcp.Message, error) {
	r := f.request(p)
	var told relays
	defer told.settle()
	r.OnMessage = func(m mcp.Message) {
		told.pass(func() { f.relay(p.call, p.boundary(), p.call.Meta["progressToken"], m) })
	}
	set(&r, &told)
	m, _, err := p.server.Do(ctx, r)
	return m, err
}

// asking forwards server requests to the client of a call, after all earlier notifications of the server.
func asking(c *serve.Call, told *relays) upstream.Input {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if !offers(c.Peer.Capabilities, method) {
			return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not support " + method}
		}
		told.settle()
		return asRPC(c.Ask(ctx, method, params))
	}
}

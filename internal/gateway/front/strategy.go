package front

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A strategy is one way to send a request: it decides how a question that the server asks meanwhile reaches the client.
type strategy struct {
	name string
	send func(f *forwarder, ctx context.Context, p passage) (*mcp.Message, error)
}

// The strategies.
var (
	// relayed: the server's requests go to the client on the stream of its own request; where the server asks by
	// unfinished results, the session asks in its place and sends the request again.
	relayed = strategy{"relayed", (*forwarder).sendRelayed}
	// returned: an unfinished result or a task is the client's to continue.
	returned = strategy{"returned", (*forwarder).sendReturned}
	// parked: the server's requests become unfinished results, and the request to the server stays open meanwhile.
	parkedUntilAnswered = strategy{"parked", (*forwarder).sendParked}
	// followed: the client follows the task; until there is one, the server's requests go to a client that can be asked.
	followed = strategy{"followed", (*forwarder).sendFollowed}
)

// A kind of request, by what can come back besides a result.
type kind int

const (
	plainRequest  kind = iota // nothing
	askingRequest             // questions: of methods with several rounds
	taskRequest               // a task that the client follows
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
	{client: mcp.Legacy, server: mcp.Legacy}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{client: mcp.Legacy, server: mcp.Modern}: {plainRequest: relayed, askingRequest: relayed, taskRequest: followed},
	{client: mcp.Modern, server: mcp.Legacy}: {plainRequest: returned, askingRequest: parkedUntilAnswered, taskRequest: returned},
	{client: mcp.Modern, server: mcp.Modern}: {plainRequest: returned, askingRequest: returned, taskRequest: returned},
}

func strategyFor(p passage) strategy { return strategies[p.boundary()][p.kind()] }

// multiRound lists the methods whose result may ask the client.
func multiRound(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// request is what all strategies send.
func (f *forwarder) request(p passage) upstream.Request {
	c := p.call
	return upstream.Request{Method: p.method, Params: f.params(p), Era: eraOf(c.Era), Timeout: p.timeout, Owner: c.Peer, Caller: c.Peer.Caller, Task: p.asTask}
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

// sendOnce sends the request while the client waits, and relays the notifications about it.
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

// asking asks the client of a call what the server asks, after all that the server has told before.
func asking(c *serve.Call, told *relays) upstream.Input {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if !offers(c.Peer.Capabilities, method) {
			return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not offer " + method}
		}
		told.settle()
		return asRPC(c.Ask(ctx, method, params))
	}
}

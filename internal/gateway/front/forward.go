package front

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A forwarder passes requests of clients on to servers, and what the servers say on their account back.
type forwarder struct {
	tokens atomic.Int64
	lot    lot
	levels sync.Map // by session: the log level that it wants, as an index
}

// A passage is one request on its way to a server.
type passage struct {
	call    *serve.Call
	server  *upstream.Server
	method  string
	fields  map[string]json.RawMessage // the params; those of the call unless something is renamed
	timeout time.Duration
	token   string // the progress token for the server, if it is to be known; made up if not
	tasks   bool   // the client can follow a task
	asTask  bool   // run as a task that we follow
}

// pass sends the request and returns the server's result as it came.
func (f *forwarder) pass(ctx context.Context, p passage) (json.RawMessage, *serve.Error) {
	m, err := f.send(ctx, p)
	if err != nil {
		return nil, refusal(err)
	}
	if m.Error != nil {
		return nil, &serve.Error{Code: int(m.Error.Code), Message: m.Error.Message, Data: m.Error.Data}
	}
	return m.Result, nil
}

// send is pass with a Go error where there was no answer.
func (f *forwarder) send(ctx context.Context, p passage) (*mcp.Message, error) {
	c := p.call
	r := upstream.Request{Method: p.method, Era: eraOf(c.Era), Manual: (c.Era == serve.Modern || p.tasks) && !p.asTask, Timeout: p.timeout, Owner: c.Peer, Caller: c.Peer.Caller, Task: p.asTask}
	token, wantsProgress := c.Meta["progressToken"]
	r.Params = f.params(p, wantsProgress)
	var told relays
	defer told.settle()
	r.OnMessage = func(m mcp.Message) { told.pass(func() { f.relay(c, token, m) }) }
	if c.Era == serve.Legacy {
		r.Input = func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			if !offers(c.Peer.Capabilities, method) {
				return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not offer " + method}
			}
			told.settle() // what was said before comes before
			return asRPC(c.Ask(ctx, method, params))
		}
	}
	if session := p.server.Session(); c.Era == serve.Modern && session != nil && session.Era == mcp.Legacy && multiRound(p.method) && !p.tasks {
		m, err := f.sendAsking(ctx, p, r)
		if err == nil && m.Result != nil {
			m.Result = modernised(p.method, m.Result)
		}
		return m, err
	}
	m, era, err := p.server.Do(ctx, r)
	if err == nil && c.Era == serve.Modern && era == mcp.Legacy && m.Result != nil && !p.tasks && !isTask(p.method) {
		m.Result = modernised(p.method, m.Result)
	}
	return m, err
}

// multiRound tells the methods whose result may ask the client.
func multiRound(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// params are what the server gets: a progress token of our own, since those of two clients may be the same, and what
// the client can do.
func (f *forwarder) params(p passage, wantsProgress bool) json.RawMessage {
	c := p.call
	meta := c.Meta
	if wantsProgress {
		if p.token == "" {
			p.token = f.newToken()
		}
		meta = with(meta, "progressToken", quoted(p.token))
	}
	session := p.server.Session()
	if c.Era == serve.Legacy && session != nil && session.Era == mcp.Modern && c.Peer.Capabilities != nil {
		meta = with(meta, serve.MetaCapabilities, followingTasks(c.Peer.Capabilities))
	}
	fields := p.fields
	if fields == nil && !wantsProgress && len(meta) == len(c.Meta) {
		return c.Params
	}
	if fields == nil {
		fields = c.Fields
	}
	if len(meta) > 0 {
		fields = with(fields, "_meta", object(meta))
	}
	return object(fields)
}

// newToken returns a progress token that no other request has.
func (f *forwarder) newToken() string { return "gateway-" + strconv.FormatInt(f.tokens.Add(1), 10) }

// followingTasks is what a client of the older era can do, in the words of the newer one. It need not know tasks: the
// gateway follows them for it.
func followingTasks(capabilities json.RawMessage) json.RawMessage {
	members := serve.Members(capabilities)
	if members["extensions"] != nil {
		return capabilities
	}
	return object(with(with(members, "extensions", raw(`{"`+tasksExtension+`":{}}`)), "tasks", nil))
}

// relay passes on what a server says about a request, to the client that made it.
func (f *forwarder) relay(c *serve.Call, token json.RawMessage, m mcp.Message) {
	params := m.Params
	switch m.Method {
	case "notifications/progress":
		if token == nil {
			return
		}
		params = object(with(serve.Members(params), "progressToken", token))
	case "notifications/message":
		if c.Era == serve.Modern && c.Meta[serve.MetaLogLevel] == nil {
			return // it has not asked for them
		}
		if c.Era == serve.Legacy && !f.wants(c.Peer, params) {
			return
		}
	case "notifications/cancelled":
		return
	}
	c.Notify(m.Method, params)
}

// modernised adds to a result of an older server what the newer era wants in each.
func modernised(method string, result json.RawMessage) json.RawMessage {
	names, values := []string{"resultType"}, []json.RawMessage{quoted("complete")}
	if method == "resources/read" || isList(method) {
		names, values = append(names, "ttlMs", "cacheScope"), append(values, json.RawMessage("0"), quoted("private"))
	}
	return extended(result, names, values)
}

// offers tells whether a client can be asked.
func offers(capabilities json.RawMessage, method string) bool {
	name := map[string]string{"roots/list": "roots", "sampling/createMessage": "sampling", "elicitation/create": "elicitation"}[method]
	value, ok := serve.Members(capabilities)[name]
	return ok && string(value) != "null"
}

func asRPC(result json.RawMessage, err error) (json.RawMessage, error) {
	var refused *serve.Error
	if errors.As(err, &refused) {
		return nil, &mcp.RPCError{Code: int64(refused.Code), Message: refused.Message, Data: refused.Data}
	}
	return result, err
}

// refusal is how a client is told that there was no answer.
func refusal(err error) *serve.Error {
	var overloaded *upstream.OverloadedError
	if errors.As(err, &overloaded) {
		return &serve.Error{Code: serve.CodeOverloaded, Message: err.Error()}
	}
	return &serve.Error{Code: serve.CodeInternal, Message: err.Error()}
}

func eraOf(e serve.Era) mcp.Era {
	if e == serve.Modern {
		return mcp.Modern
	}
	return mcp.Legacy
}

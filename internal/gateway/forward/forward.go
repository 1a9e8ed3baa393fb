// Package forward sends requests of clients to servers, and what the servers send meanwhile to the clients, whatever
// revisions both support: progress and log messages, requests for input, and the state of requests that wait for input.
package forward

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
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Forwarder forwards client requests to servers, and the related server messages back.
type Forwarder struct {
	Verbatim bool // responses are returned as the server sent them

	tokens  atomic.Int64
	pending pendingStore
	rounds  rounds
	levels  sync.Map // by session: its log level, as an index

	capabilities, taskCapabilities modernCapabilities // for servers without and with tasks
}

// New returns a forwarder. The replica is the ID of this process among several; "" if it is the only one.
func New(replica string) *Forwarder {
	return &Forwarder{pending: pendingStore{replica: replica}, rounds: rounds{replica: replica}}
}

// Close cancels the requests that wait for their clients.
func (f *Forwarder) Close() { f.pending.clear() }

// A Request is one request that is forwarded to a server.
type Request struct {
	Call    *serve.Call
	Server  *upstream.Server
	Lease   upstream.Lease // of the server, until the request has a response
	Era     spec.Era       // of the server; detected if empty
	Method  string
	Fields  map[string]json.RawMessage // the params; those of the call unless something is renamed
	Timeout time.Duration
	Trace   string // that of the client's request if empty
	// the progress token for the server, if it must be known; generated if empty
	Token  string
	Tasks  bool                            // the client can poll a task
	AsTask bool                            // run as a task that the gateway polls
	Admit  func(ctx context.Context) error // called before each sending; nil admits everything
	// the member of the params that requests a task, if the client's era has none
	Task json.RawMessage
}

// Boundary returns the eras of the client and of the server.
func (p Request) Boundary() serve.Boundary {
	return serve.Boundary{Client: p.Call.Era, Server: p.Era}
}

// Pass sends the request and returns the server's result, translated into the client's era.
func (f *Forwarder) Pass(ctx context.Context, p Request) (json.RawMessage, *serve.Error) {
	m, err := f.Send(ctx, p)
	if err != nil {
		return nil, ClientError(err)
	}
	if m.Error != nil {
		return nil, &serve.Error{Code: int(m.Error.Code), Message: m.Error.Message, Data: m.Error.Data}
	}
	return m.Result, nil
}

// Send is Pass with a Go error if there was no response. The result of a call that may have become a task, and that of
// a request about one, stay unchanged.
func (f *Forwarder) Send(ctx context.Context, p Request) (*mcp.Message, error) {
	if p.Era == "" {
		session, err := p.Server.Await(ctx, p.Call.Era)
		if err != nil {
			return nil, err
		}
		p.Era = session.Era
	}
	m, err := strategyFor(p).send(f, ctx, p)
	if err != nil {
		return nil, err
	}
	translated := *m
	translated.Error = p.Boundary().Failure(p.Method, m.Error)
	if !p.Tasks && !IsTaskMethod(p.Method) {
		translated.Result = p.Boundary().Result(p.Method, m.Result)
	}
	return &translated, nil
}

// params are the params for the server: our own progress token, since those of two clients may be the same, and the
// members of the server's era.
func (f *Forwarder) params(p Request) json.RawMessage {
	c, b := p.Call, p.Boundary()
	_, wantsProgress := c.Meta["progressToken"]
	if p.Fields == nil && !wantsProgress && !b.Crosses() {
		return c.Params
	}
	meta := b.Without(serve.RequestMeta, c.Meta)
	if wantsProgress {
		if p.Token == "" {
			p.Token = f.NewToken()
		}
		meta = serve.With(meta, "progressToken", rawjson.Quote(p.Token))
	}
	if b.Crosses() && b.Server == spec.Modern {
		meta = f.toModernMeta(p, meta)
	}
	fields := p.Fields
	if fields == nil {
		fields = c.Fields
	}
	fields = b.Without(serve.RequestParams, fields)
	if p.Task != nil {
		fields = serve.With(fields, "task", p.Task)
	}
	switch {
	case len(meta) > 0:
		fields = serve.With(fields, "_meta", serve.Object(meta))
	case c.Meta != nil:
		fields = serve.With(fields, "_meta", nil)
	}
	return serve.Object(fields)
}

// NewToken returns a unique progress token.
func (f *Forwarder) NewToken() string { return "gateway-" + strconv.FormatInt(f.tokens.Add(1), 10) }

// relay forwards server messages about a request to the client that made it.
func (f *Forwarder) relay(c *serve.Call, b serve.Boundary, token json.RawMessage, m mcp.Message) {
	params := b.Notification(m.Params)
	switch m.Method {
	case "notifications/progress":
		if token == nil {
			return
		}
		params = serve.Object(serve.With(serve.Members(params), "progressToken", token))
	case "notifications/message":
		if !f.acceptsLog(c, params) {
			return
		}
	case "notifications/cancelled":
		return
	}
	c.Notify(m.Method, params)
}

// Supports reports whether a client with these capabilities supports a request of a server.
func Supports(capabilities json.RawMessage, method string) bool {
	name := map[string]string{"roots/list": "roots", "sampling/createMessage": "sampling",
		"elicitation/create": "elicitation"}[method]
	value, ok := serve.Members(capabilities)[name]
	return ok && string(value) != "null"
}

// AsRPC returns the response of a client, with its error as a server receives it.
func AsRPC(result json.RawMessage, err error) (json.RawMessage, error) {
	var refused *serve.Error
	if errors.As(err, &refused) {
		return nil, &mcp.RPCError{Code: int64(refused.Code), Message: refused.Message, Data: refused.Data}
	}
	return result, err
}

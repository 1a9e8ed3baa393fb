package frontend

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// A forwarder forwards client requests to servers, and the related server messages back.
type forwarder struct {
	tokens  atomic.Int64
	pending pendingStore
	levels  sync.Map // by session: its log level, as an index
}

// A forwardedRequest is one request that is forwarded to a server.
type forwardedRequest struct {
	call    *serve.Call
	server  *upstream.Server
	lease   upstream.Lease // of the server, until the request has a response
	era     spec.Era       // of the server; detected if empty
	method  string
	fields  map[string]json.RawMessage // the params; those of the call unless something is renamed
	timeout time.Duration
	trace   string // that of the client's request if empty
	// the progress token for the server, if it must be known; generated if empty
	token  string
	tasks  bool                            // the client can poll a task
	asTask bool                            // run as a task that the gateway polls
	admit  func(ctx context.Context) error // called before each sending; nil admits everything
	// the member of the params that requests a task, if the client's era has none
	task json.RawMessage
}

func (p forwardedRequest) boundary() serve.Boundary {
	return serve.Boundary{Client: p.call.Era, Server: p.era}
}

// pass sends the request and returns the server's result, translated into the client's era.
func (f *forwarder) pass(ctx context.Context, p forwardedRequest) (json.RawMessage, *serve.Error) {
	m, err := f.send(ctx, p)
	if err != nil {
		return nil, refusal(err)
	}
	if m.Error != nil {
		return nil, &serve.Error{Code: int(m.Error.Code), Message: m.Error.Message, Data: m.Error.Data}
	}
	return m.Result, nil
}

// send is pass with a Go error if there was no response. The result of a call that may have become a task, and that of
// a request about one, stay unchanged.
func (f *forwarder) send(ctx context.Context, p forwardedRequest) (*mcp.Message, error) {
	if p.era == "" {
		session, err := p.server.Await(ctx, p.call.Era)
		if err != nil {
			return nil, err
		}
		p.era = session.Era
	}
	m, err := strategyFor(p).send(f, ctx, p)
	if err != nil {
		return nil, err
	}
	translated := *m
	translated.Error = p.boundary().Failure(p.method, m.Error)
	if !p.tasks && !isTask(p.method) {
		translated.Result = p.boundary().Result(p.method, m.Result)
	}
	return &translated, nil
}

// params are the params for the server: our own progress token, since those of two clients may be the same, and the
// members of the server's era.
func (f *forwarder) params(p forwardedRequest) json.RawMessage {
	c, b := p.call, p.boundary()
	_, wantsProgress := c.Meta["progressToken"]
	if p.fields == nil && !wantsProgress && !b.Crosses() {
		return c.Params
	}
	meta := b.Without(serve.RequestMeta, c.Meta)
	if wantsProgress {
		if p.token == "" {
			p.token = f.newToken()
		}
		meta = serve.With(meta, "progressToken", rawjson.Quote(p.token))
	}
	if b.Crosses() && b.Server == spec.Modern {
		meta = f.toModernMeta(c, meta)
	}
	fields := p.fields
	if fields == nil {
		fields = c.Fields
	}
	fields = b.Without(serve.RequestParams, fields)
	if p.task != nil {
		fields = serve.With(fields, "task", p.task)
	}
	switch {
	case len(meta) > 0:
		fields = serve.With(fields, "_meta", serve.Object(meta))
	case c.Meta != nil:
		fields = serve.With(fields, "_meta", nil)
	}
	return serve.Object(fields)
}

// newToken returns a unique progress token.
func (f *forwarder) newToken() string { return "gateway-" + strconv.FormatInt(f.tokens.Add(1), 10) }

// relay forwards server messages about a request to the client that made it.
func (f *forwarder) relay(c *serve.Call, b serve.Boundary, token json.RawMessage, m mcp.Message) {
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

// acceptsLog reports whether the client of a request has enabled log messages of this level: a modern client in the
// request, a legacy client with logging/setLevel.
func (f *forwarder) acceptsLog(c *serve.Call, params json.RawMessage) bool {
	if c.Era == spec.Legacy {
		return f.accepts(c.Peer, params)
	}
	least := slices.Index(levels, serve.Text(c.Meta[serve.MetaLogLevel]))
	return least >= 0 && slices.Index(levels, serve.Text(serve.Members(params)["level"])) >= least
}

// offers reports whether a client supports a server request.
func offers(capabilities json.RawMessage, method string) bool {
	name := map[string]string{"roots/list": "roots", "sampling/createMessage": "sampling",
		"elicitation/create": "elicitation"}[method]
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

// refusal is the error for a client if there was no response.
func refusal(err error) *serve.Error {
	message := redact.Text(err.Error())
	var overloaded *upstream.OverloadedError
	if errors.As(err, &overloaded) {
		return &serve.Error{Code: serve.CodeOverloaded, Message: message}
	}
	var starting *upstream.StartingError
	if errors.As(err, &starting) {
		about := map[string]string{"type": invoke.TypeOf(err), "server": starting.Server, "state": starting.State()}
		return &serve.Error{Code: serve.CodeInternal, Message: message, Data: serve.Encode(about)}
	}
	var unauthorized *upstream.AuthorizationError
	if errors.As(err, &unauthorized) {
		about := aboutAuthorization(unauthorized)
		about["type"] = invoke.TypeOf(err)
		return &serve.Error{Code: serve.CodeInternal, Message: message, Data: serve.Encode(about)}
	}
	var quarantined *catalog.QuarantineError
	if errors.As(err, &quarantined) {
		return &serve.Error{Code: serve.CodeInvalidParams, Message: message,
			Data: serve.Encode(aboutQuarantine(quarantined))}
	}
	return &serve.Error{Code: serve.CodeInternal, Message: message}
}

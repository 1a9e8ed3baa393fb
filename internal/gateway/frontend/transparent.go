package frontend

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Transparent exposes a single server and changes nothing: no name, no list, no result.
type Transparent struct {
	forwarder *forward.Forwarder
	hub       hub
	server    *upstream.Server
}

// NewTransparent connects to the server and returns its backend. It sets the callbacks in the options.
func NewTransparent(start func(*upstream.Options) *upstream.Server) *Transparent {
	t := &Transparent{forwarder: forward.New("")}
	t.forwarder.Verbatim = true
	t.server = start(&upstream.Options{BothEras: true, OnStray: t.routeUnsolicited, OnAsk: t.hub.request,
		OnUpdated: func(_ *upstream.Server, uri string) { t.hub.broadcast(resourceUpdated, uri) }})
	return t
}

// Close stops the server.
func (t *Transparent) Close() {
	t.forwarder.Close()
	t.server.Close()
}

// Health returns the health of the server.
func (t *Transparent) Health() []upstream.Health { return []upstream.Health{t.server.Health()} }

// Stderr returns the stderr output of the server; nil if it has another name.
func (t *Transparent) Stderr(name string) *upstream.StderrLog {
	if name != t.server.Name {
		return nil
	}
	return t.server.Stderr()
}

// Answer implements serve.Backend.
func (t *Transparent) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	switch c.Method {
	case "initialize":
		return t.initialize(ctx, c)
	case "server/discover":
		return t.discover(ctx)
	case "ping":
		return json.RawMessage("{}"), nil
	case "subscriptions/listen":
		return t.hub.serve(ctx, c, func(uri string) (string, func(), error) {
			cancel, err := t.server.Subscribe(ctx, uri)
			return uri, cancel, err
		})
	case "tools/call":
		if bad := t.checkParamHeaders(c); bad != nil {
			return nil, bad
		}
	}
	return t.forwarder.Pass(ctx, forward.Request{Call: c, Server: t.server, Method: c.Method})
}

// initialize responds with the server's own result, in the revision that was negotiated with the client.
func (t *Transparent) initialize(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	session, err := t.server.Await(ctx, spec.Legacy)
	if err != nil {
		return nil, forward.ClientError(err)
	}
	t.hub.join(c.Peer)
	members := map[string]json.RawMessage{"serverInfo": session.Server, "capabilities": session.Capabilities}
	if session.Era == spec.Legacy && session.Handshake != nil {
		members = serve.Members(session.Handshake.Reply.Result)
	} else if session.Instructions != "" {
		members["instructions"] = rawjson.Quote(session.Instructions)
	}
	return serve.Object(serve.With(members, "protocolVersion", rawjson.Quote(c.Peer.Revision))), nil
}

func (t *Transparent) discover(ctx context.Context) (json.RawMessage, *serve.Error) {
	session, err := t.server.Await(ctx, spec.Modern)
	if err != nil {
		return nil, forward.ClientError(err)
	}
	var instructions json.RawMessage
	if session.Instructions != "" {
		instructions = rawjson.Quote(session.Instructions)
	}
	return serve.Object(map[string]json.RawMessage{
		"supportedVersions": serve.Encode(serve.Revisions()), "capabilities": session.Capabilities,
		"instructions": instructions,
		"ttlMs":        json.RawMessage("0"), "cacheScope": rawjson.Quote("private"), "resultType": rawjson.Quote("complete"),
		"_meta": serve.Object(map[string]json.RawMessage{serve.MetaServerInfo: session.Server}),
	}), nil
}

// checkParamHeaders does over HTTP what the server cannot: the server does not see the client's headers.
func (t *Transparent) checkParamHeaders(c *serve.Call) *serve.Error {
	surface := t.server.Surface()
	if c.Era != spec.Modern || c.Header == nil || surface == nil || surface.Tools == nil {
		return nil
	}
	tool, ok := surface.Tools.Find(c.Text("name"))
	if !ok {
		return nil
	}
	return paramMismatch(c, tool.Raw)
}

func paramMismatch(c *serve.Call, tool json.RawMessage) *serve.Error {
	name := mcp.ParamMismatch(tool, c.Fields["arguments"],
		func(name string) string { return spec.HeaderText(c.Header.Get(name)) })
	if name == "" {
		return nil
	}
	return &serve.Error{Code: serve.CodeHeaderMismatch, Message: name + " header does not match the body"}
}

// routeUnsolicited forwards server messages that belong to no request. List changes go to everyone; other messages
// could be about one caller, and go to all sessions only if they belong to the same one.
func (t *Transparent) routeUnsolicited(_ *upstream.Server, era spec.Era, m mcp.Message) {
	peers := t.hub.all()
	switch m.Method {
	case toolsChanged, promptsChanged, resourcesChanged:
		t.hub.broadcast(m.Method, "")
	case "notifications/progress":
		return // its request has ended
	default:
		if !oneCaller(peers) {
			return
		}
	}
	if era == spec.Legacy {
		for _, p := range peers {
			p.Notify(m.Method, m.Params)
		}
	}
}

func oneCaller(peers []*serve.Peer) bool {
	for _, p := range peers {
		if p.Caller != peers[0].Caller {
			return false
		}
	}
	return true
}

// Notified implements serve.Backend.
func (t *Transparent) Notified(_ *serve.Peer, in *serve.Inbound) {
	if in.Method != "notifications/roots/list_changed" {
		return
	}
	if session := t.server.Session(); session != nil && session.Era == spec.Legacy {
		_ = session.Notify(context.Background(), in.Method, in.Params)
	}
}

// Disconnected implements serve.Backend.
func (t *Transparent) Disconnected(p *serve.Peer) { t.hub.remove(p) }

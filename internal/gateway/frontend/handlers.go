package frontend

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// getPrompt forwards a request for a prompt to its server.
func (g *Gateway) getPrompt(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	v := g.viewOfName(ctx, c, c.Text("name"))
	p := v.prompt(c.Text("name"))
	if p == nil || !g.caller(c.Peer).Sees(p.server) {
		if refused := g.refusedPrompt(c, c.Text("name")); refused != nil {
			return nil, forward.ClientError(refused)
		}
		for server, err := range v.failed {
			return nil, forward.ClientError(g.unreached(c, server, c.Text("name"), err))
		}
		return nil, serve.InvalidParams("Unknown prompt: %s", c.Text("name"))
	}
	return g.toPrompt(ctx, c, p, serve.With(c.Fields, "name", rawjson.Quote(p.name)))
}

// promptOf is the prompt of a request; "" if there is none.
func promptOf(c *serve.Call) string {
	if c.Method == "completion/complete" {
		return serve.Text(serve.Members(c.Fields["ref"])["name"])
	}
	return c.Text("name")
}

// readResource forwards a request for a resource to its server.
func (g *Gateway) readResource(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	server, own, bad := g.resource(ctx, c)
	if bad != nil {
		return nil, bad
	}
	return g.to(ctx, c, server, serve.With(c.Fields, "uri", rawjson.Quote(own)))
}

// resource finds the server that a request's URI belongs to.
func (g *Gateway) resource(ctx context.Context, c *serve.Call) (server, own string, bad *serve.Error) {
	uri := c.Text("uri")
	found := g.ownersOf(ctx, c, uri)
	switch {
	case len(found) == 1:
		return found[0].server, found[0].own, nil
	case len(found) == 0 && strings.HasPrefix(uri, skillScheme):
		if servers := g.offering(g.caller(c.Peer), mcp.SkillsExtension); len(servers) == 1 {
			return servers[0], uri, nil // a file that a skill refers to need not be listed
		}
	case len(found) > 1:
		return "", "", serve.InvalidParams("several servers have the resource %s; use the URI from resources/list: %s",
			uri, uris(found))
	}
	bad = &serve.Error{Code: serve.CodeResourceNotFound, Message: "Resource not found",
		Data: serve.Encode(map[string]string{"uri": uri})}
	if c.Era == spec.Modern {
		bad.Code = serve.CodeInvalidParams
	}
	return "", "", bad
}

// uris lists the exposed URIs of a resource, for each of the servers that have it.
func uris(found []owner) string {
	var all []string
	for _, o := range found {
		all = append(all, naming.URI(o.server, o.own))
	}
	return strings.Join(all, ", ")
}

// complete forwards a completion request, with the reference as the server uses it.
func (g *Gateway) complete(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	ref := serve.Members(c.Fields["ref"])
	var name, uri string
	_ = json.Unmarshal(ref["name"], &name)
	_ = json.Unmarshal(ref["uri"], &uri)
	v, caller := g.viewOfName(ctx, c, name), g.caller(c.Peer)
	if p := v.prompt(name); p != nil && caller.Sees(p.server) {
		own := serve.Object(serve.With(ref, "name", rawjson.Quote(p.name)))
		return g.toPrompt(ctx, c, p, serve.With(c.Fields, "ref", own))
	}
	if uri == "" {
		return nil, serve.InvalidParams("unknown reference")
	}
	if found := g.ownersOf(ctx, c, uri); len(found) == 1 {
		own := serve.Object(serve.With(ref, "uri", rawjson.Quote(found[0].own)))
		return g.to(ctx, c, found[0].server, serve.With(c.Fields, "ref", own))
	}
	return nil, serve.InvalidParams("unknown reference")
}

// to forwards a request to a server.
func (g *Gateway) to(ctx context.Context, c *serve.Call, server string,
	fields map[string]json.RawMessage) (json.RawMessage, *serve.Error) {
	return g.forward(ctx, server, forward.Request{Call: c, Method: c.Method, Fields: fields}, "")
}

// toPrompt forwards a request about a prompt, if it was approved.
func (g *Gateway) toPrompt(ctx context.Context, c *serve.Call, p *exposedItem,
	fields map[string]json.RawMessage) (json.RawMessage, *serve.Error) {
	return g.forward(ctx, p.server, forward.Request{Call: c, Method: c.Method, Fields: fields}, p.name)
}

// forward sends a request to a server. A prompt must be approved.
func (g *Gateway) forward(ctx context.Context, server string, r forward.Request,
	prompt string) (json.RawMessage, *serve.Error) {
	shared := g.server(server)
	if shared == nil {
		return nil, forward.ClientError(&upstream.DownError{Server: server, Err: context.Canceled})
	}
	lease, err := g.lease(ctx, r.Call, shared)
	if err != nil {
		return nil, forward.ClientError(err)
	}
	defer lease.Release()
	if r.Server, r.Lease = lease.Server, lease; prompt != "" {
		r.Admit = g.admission(lease.Server, quarantine.Prompt, prompt)
	}
	result, bad := g.forwarder.Pass(ctx, r)
	return exposeResult(server, result), exposeError(server, bad)
}

// legacySubscriptions holds the subscriptions of legacy sessions, by the URI that the client used.
type legacySubscriptions struct {
	mu  sync.Mutex
	all map[*serve.Peer]map[string]legacySubscription
}

type legacySubscription struct {
	server, own string
	process     string // that the subscription is in
	cancel      func()
}

func (g *Gateway) subscribe(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	server, own, bad := g.resource(ctx, c)
	if bad != nil {
		return nil, bad
	}
	s := g.server(server)
	if s == nil {
		return nil, forward.ClientError(&upstream.DownError{Server: server, Err: context.Canceled})
	}
	s, cancel, err := g.subscribeAt(ctx, c, s, own)
	if err != nil {
		return nil, forward.ClientError(err)
	}
	g.subs.mu.Lock()
	defer g.subs.mu.Unlock()
	if g.subs.all == nil {
		g.subs.all = map[*serve.Peer]map[string]legacySubscription{}
	}
	mine := g.subs.all[c.Peer]
	if mine == nil {
		mine = map[string]legacySubscription{}
		g.subs.all[c.Peer] = mine
	}
	if _, twice := mine[c.Text("uri")]; twice {
		cancel()
		return raw("{}"), nil
	}
	mine[c.Text("uri")] = legacySubscription{server, own, s.ID, cancel}
	return raw("{}"), nil
}

func (g *Gateway) unsubscribe(c *serve.Call) (json.RawMessage, *serve.Error) {
	g.subs.mu.Lock()
	sub, ok := g.subs.all[c.Peer][c.Text("uri")]
	delete(g.subs.all[c.Peer], c.Text("uri"))
	g.subs.mu.Unlock()
	if ok {
		sub.cancel()
	}
	return raw("{}"), nil
}

func (g *Gateway) unsubscribeAll(p *serve.Peer) {
	g.subs.mu.Lock()
	mine := g.subs.all[p]
	delete(g.subs.all, p)
	g.subs.mu.Unlock()
	for _, sub := range mine {
		sub.cancel()
	}
}

// subscribed notifies the sessions that have subscribed to a resource of a change, with the URI that they used.
func (g *Gateway) subscribed(s *upstream.Server, uri string) {
	g.subs.mu.Lock()
	defer g.subs.mu.Unlock()
	for p, mine := range g.subs.all {
		for seen, sub := range mine {
			if sub.process == s.ID && sub.own == uri && g.caller(p).Sees(s.Name) {
				p.Notify(resourceUpdated, serve.Object(map[string]json.RawMessage{"uri": rawjson.Quote(seen)}))
			}
		}
	}
}

// listen serves a modern subscription stream.
func (g *Gateway) listen(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	return g.hub.serve(ctx, c, func(uri string) (string, func(), error) {
		found := g.ownersOf(ctx, c, uri)
		if len(found) != 1 {
			return "", nil, serve.InvalidParams("unknown resource")
		}
		s := g.server(found[0].server)
		if s == nil {
			return "", nil, serve.InvalidParams("unknown resource")
		}
		s, cancel, err := g.subscribeAt(ctx, c, s, found[0].own)
		return updateKey(s, found[0].own), cancel, err
	})
}

// setLevel requests from legacy servers the most verbose level that any session has set; less severe messages are not
// forwarded to the other sessions.
func (g *Gateway) setLevel(c *serve.Call) (json.RawMessage, *serve.Error) {
	lowest := g.forwarder.SetLevel(c.Peer, c.Text("level"))
	for _, s := range g.processesFor(c.Peer) {
		session := s.Session()
		if session == nil || session.Era != spec.Legacy || !session.Declares("logging") {
			continue
		}
		g.wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), timeoutMargin)
			defer cancel()
			_, _ = session.Call(ctx, "logging/setLevel", mcp.Object("level", lowest))
		})
	}
	return raw("{}"), nil
}

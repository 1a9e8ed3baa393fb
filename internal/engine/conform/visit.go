package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A Visit is a conversation over HTTP in which every header is the check's to choose. In the older era it has begun with a
// handshake.
type Visit struct {
	p       *Pass
	Session string  // the session id that the server gave; empty if none
	Greeted *Answer // of initialize; nil in the modern era
	next    int
}

// Visit begins a conversation over HTTP.
func (p *Pass) Visit(ctx context.Context) (*Visit, error) {
	v := &Visit{p: p}
	if p.Modern() {
		return v, nil
	}
	greeted, err := p.Fetch(ctx, Fetch{Header: v.Header("initialize", ""), Body: v.Initialize(p.Revision.ID)})
	if err != nil {
		return nil, err
	}
	v.Greeted = greeted
	if reply := greeted.Reply(); reply == nil || reply.Error != nil {
		return nil, fmt.Errorf("initialize over HTTP was answered with HTTP %d: %s", greeted.Status, clip(string(greeted.Body), 120))
	}
	v.Session = greeted.Header.Get("Mcp-Session-Id")
	_, err = v.Post(ctx, nil, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return v, err
}

// VisitSession is Visit for what is about sessions: where the server keeps none the check ends.
func (p *Pass) VisitSession(ctx context.Context) (*Visit, error) {
	v, err := p.Visit(ctx)
	if err == nil && v.Session == "" {
		err = p.Skip("the server keeps no sessions")
	}
	return v, err
}

// Initialize is the body of an initialize request that asks for a revision.
func (v *Visit) Initialize(revision string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"mcptest","version":"1"}}}`,
		v.id(), revision)
}

func (v *Visit) id() int { v.next++; return v.next }

// Body is the body of a request with params, a JSON object or empty, with what the era wants in _meta.
func (v *Visit) Body(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, v.id(), method, v.p.Params(params))
}

// Params are the params of a request, a JSON object or empty, with what the revision wants in _meta.
func (p *Pass) Params(params string) string {
	if params == "" {
		params = "{}"
	}
	if !p.Modern() {
		return params
	}
	rest := params[1:]
	if rest != "}" {
		rest = "," + rest
	}
	return `{"_meta":` + string(p.Meta()) + rest
}

// Meta is what a request of the modern era says of its sender.
func (p *Pass) Meta() json.RawMessage {
	return mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID,
		"io.modelcontextprotocol/clientInfo", json.RawMessage(`{"name":"mcptest","version":"1"}`),
		"io.modelcontextprotocol/clientCapabilities", json.RawMessage(`{}`))
}

// Header is the header that a client sends with a request of that method; name is what Mcp-Name repeats.
func (v *Visit) Header(method, name string) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if v.p.Revision.ID >= "2025-06-18" && method != "initialize" {
		h.Set("Mcp-Protocol-Version", v.p.Revision.ID)
	}
	if v.Session != "" {
		h.Set("Mcp-Session-Id", v.Session)
	}
	if v.p.Modern() && method != "" {
		h.Set("Mcp-Method", method)
	}
	if v.p.Modern() && name != "" {
		h.Set("Mcp-Name", name)
	}
	return h
}

// Post posts a body with the header of a client; what change holds wins over it, and an empty list removes a header.
func (v *Visit) Post(ctx context.Context, change http.Header, body string) (*Answer, error) {
	m := mcp.Read(frameOf(body))
	name := TextAt(m.Params, "/name")
	if m.Method == "resources/read" {
		name = TextAt(m.Params, "/uri")
	}
	h := v.Header(m.Method, name)
	for key, values := range change {
		if len(values) == 0 {
			h.Del(key)
			continue
		}
		h[http.CanonicalHeaderKey(key)] = values
	}
	a, err := v.p.Fetch(ctx, Fetch{Header: h, Body: body})
	if a != nil {
		a.Changed = change
	}
	return a, err
}

// Ask posts a request.
func (v *Visit) Ask(ctx context.Context, change http.Header, method, params string) (*Answer, error) {
	return v.Post(ctx, change, v.Body(method, params))
}

// Ping posts the request that every server answers: ping, or server/discover where there is no ping.
func (v *Visit) Ping(ctx context.Context, change http.Header) (*Answer, error) {
	return v.Ask(ctx, change, v.p.pinged(), "")
}

// pinged is the method that every server answers.
func (p *Pass) pinged() string {
	if p.Modern() {
		return "server/discover"
	}
	return "ping"
}

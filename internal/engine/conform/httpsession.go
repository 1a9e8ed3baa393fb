package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A HTTPSession is a sequence of HTTP exchanges in which the check controls every header. In revisions up to 2025-11-25
// it starts with a handshake.
type HTTPSession struct {
	p         *CheckContext
	Session   string        // the session ID from the server; empty if none
	Handshake *HTTPExchange // response to initialize; nil in revisions from 2026-07-28 on
	next      int
}

// Visit starts a sequence of HTTP exchanges.
func (p *CheckContext) Visit(ctx context.Context) (*HTTPSession, error) {
	v := &HTTPSession{p: p}
	if p.Modern() {
		return v, nil
	}
	greeted, err := p.Fetch(ctx, Fetch{Header: v.Header("initialize", ""), Body: v.Initialize(p.Revision.ID)})
	if err != nil {
		return nil, err
	}
	v.Handshake = greeted
	if reply := greeted.Reply(); reply == nil || reply.Error != nil {
		return nil, fmt.Errorf("initialize over HTTP: got HTTP %d: %s", greeted.Status,
			clip.Text(string(greeted.Body), 120))
	}
	v.Session = greeted.Header.Get("Mcp-Session-Id")
	_, err = v.Post(ctx, nil, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return v, err
}

// VisitSession is Visit for checks of sessions: if the server has none, the check is skipped.
func (p *CheckContext) VisitSession(ctx context.Context) (*HTTPSession, error) {
	v, err := p.Visit(ctx)
	if err == nil && v.Session == "" {
		err = p.Skip("server has no sessions")
	}
	return v, err
}

// Initialize returns the body of an initialize request for a revision.
func (v *HTTPSession) Initialize(revision string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":%q,`+
		`"capabilities":{},"clientInfo":{"name":"mcptest","version":"1"}}}`,
		v.id(), revision)
}

func (v *HTTPSession) id() int { v.next++; return v.next }

// Body returns the body of a request with params, a JSON object or empty, with the _meta that the revision requires.
func (v *HTTPSession) Body(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, v.id(), method, v.p.Params(params))
}

// Params returns the params of a request, a JSON object or empty, with the _meta that the revision requires.
func (p *CheckContext) Params(params string) string {
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

// Meta returns the metadata of a request in revisions from 2026-07-28 on. It declares the same extensions as sessions do,
// so that a server that hides tools from others offers the same.
func (p *CheckContext) Meta() json.RawMessage {
	capabilities := json.RawMessage(`{}`)
	if declared := p.round.client().Extensions; len(declared) > 0 {
		capabilities = mcp.Object("extensions", declared)
	}
	return mcp.Object("io.modelcontextprotocol/protocolVersion", p.Revision.ID,
		"io.modelcontextprotocol/clientInfo", json.RawMessage(`{"name":"mcptest","version":"1"}`),
		"io.modelcontextprotocol/clientCapabilities", capabilities)
}

// Header returns the headers that a client sends with a request of that method; name is the value for Mcp-Name.
func (v *HTTPSession) Header(method, name string) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	if v.p.Revision.VersionHeader && method != "initialize" {
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

// Post posts a body with the headers of a client; change overrides them, and an empty list removes a header.
func (v *HTTPSession) Post(ctx context.Context, change http.Header, body string) (*HTTPExchange, error) {
	m := mcp.Read(frameOf(body))
	name := schema.TextAt(m.Params, "/name")
	if m.Method == "resources/read" {
		name = schema.TextAt(m.Params, "/uri")
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

// Request posts a request.
func (v *HTTPSession) Request(ctx context.Context, change http.Header, method, params string) (*HTTPExchange, error) {
	return v.Post(ctx, change, v.Body(method, params))
}

// Ping posts a request that every server supports: ping, or server/discover if there is no ping.
func (v *HTTPSession) Ping(ctx context.Context, change http.Header) (*HTTPExchange, error) {
	return v.Request(ctx, change, v.p.pinged(), "")
}

// pinged returns the method that every server supports.
func (p *CheckContext) pinged() string {
	if p.Modern() {
		return "server/discover"
	}
	return "ping"
}

package conform

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// An authRequest is a request that changes nothing, with which a check tests whether a token is required.
type authRequest struct {
	method string
	header http.Header
	body   string
}

// authRequests returns the requests to try without a token: the handshake, and in a run with [Options.Auth] others, for
// servers of other revisions and for those that require a token only for tools.
func (p *CheckContext) authRequests() []authRequest {
	v := &HTTPSession{p: p}
	first := authRequest{"initialize", v.Header("initialize", ""), v.Initialize(p.Revision.ID)}
	if p.Modern() {
		first = authRequest{"server/discover", v.Header("server/discover", ""), v.Body("server/discover", "")}
	}
	all := []authRequest{first}
	if p.round.opts.Auth == nil {
		return all
	}
	legacy, _ := spec.Find(spec.NewestLegacy)
	old := &HTTPSession{p: &CheckContext{Revision: legacy}}
	if tool := p.round.opts.Auth.Tool; tool != "" {
		return []authRequest{v.call(tool), old.call(tool)}
	}
	if p.Modern() {
		all = append(all, authRequest{"initialize", old.Header("initialize", ""), old.Initialize(legacy.ID)})
	}
	return append(all, authRequest{"tools/list", v.Header("tools/list", ""), v.Body("tools/list", "")},
		v.call("mcptest-no-such-tool"))
}

// call returns a call of a tool without arguments.
func (v *HTTPSession) call(tool string) authRequest {
	params := string(mcp.Object("name", tool, "arguments", json.RawMessage("{}")))
	return authRequest{"tools/call", v.Header("tools/call", tool), v.Body("tools/call", params)}
}

// send sends the request with the given values of the Authorization header.
func (r authRequest) send(ctx context.Context, p *CheckContext, authorization ...string) (*HTTPExchange, error) {
	return r.sendTo(ctx, p, "", authorization...)
}

// sendTo is send to another URL; empty is that of the server.
func (r authRequest) sendTo(ctx context.Context, p *CheckContext, address string,
	authorization ...string) (*HTTPExchange, error) {
	h := r.header.Clone()
	if len(authorization) > 0 {
		h["Authorization"] = authorization
	}
	a, err := p.Fetch(ctx, Fetch{URL: address, Header: h, Body: r.body, Anonymous: true})
	if err == nil && len(authorization) > 0 {
		a.Changed = http.Header{"Authorization": authorization}
	}
	return a, err
}

// sendOwn is sendTo with a token that must not be recorded.
func (r authRequest) sendOwn(ctx context.Context, p *CheckContext, address string,
	authorization ...string) (*HTTPExchange, error) {
	h := r.header.Clone()
	if len(authorization) > 0 {
		h["Authorization"] = authorization
	}
	return p.Fetch(ctx, Fetch{URL: address, Header: h, Body: r.body, Anonymous: true, Private: true})
}

// served reports whether a request was processed although it should not have been.
func served(a *HTTPExchange) bool { return a.Status/100 == 2 }

// rejectToken expects the server to reject a token with 401, as what is described.
func (p *CheckContext) rejectToken(ctx context.Context, t *authMetadata, token, what string) error {
	a, err := t.request.send(ctx, p, "Bearer "+token)
	if err != nil {
		return err
	}
	seen := Evidence{Answer: a, Subject: "authorization"}
	switch {
	case served(a):
		p.Report(seen, "%s: expected 401, got HTTP %d: the token was accepted", what, a.Status)
	case a.Status != http.StatusUnauthorized:
		p.Report(seen, "%s: expected 401, got HTTP %d", what, a.Status)
	}
	return nil
}

package conform

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life015 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-015",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#version-negotiation"),
		Doc: `every version that initialize accepts must be supported

The server returns the revision that the client requested, so the client uses it for the rest of the session: over HTTP, in the
header MCP-Protocol-Version of each request from 2025-06-18 on, and without the header before. A server that then rejects these
requests cannot be used by clients of that revision. Use one list of revisions for initialize and for the header.`,
	},
	On: OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		accepted := p.Revision.Era == spec.Legacy
		for _, id := range slices.Backward(spec.IDs()) {
			if id == p.Revision.ID || spec.EraOf(id) != spec.Legacy {
				continue
			}
			handshake, err := p.tryVersion(ctx, spec.Of(id))
			if err != nil {
				return err
			}
			if !handshake && !accepted {
				return p.Skip("server does not support initialize")
			}
			accepted = true
		}
		return nil
	},
}

// tryVersion requests a revision in initialize and, if the server accepts it, makes a request in it. handshake reports
// whether the server returned a result for initialize.
func (p *CheckContext) tryVersion(ctx context.Context, revision spec.Revision) (handshake bool, err error) {
	v := &HTTPSession{p: p}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	post := func(body string) (*HTTPExchange, error) {
		return p.Fetch(ctx, Fetch{Header: header, Body: body, Again: true})
	}
	a, err := post(v.Initialize(revision.ID))
	if err != nil {
		return false, err
	}
	reply := a.Reply()
	if reply == nil || reply.Error != nil {
		return false, nil // LIFE-002 and LIFE-003 report errors for unknown revisions
	}
	if session := a.Header.Get("Mcp-Session-Id"); session != "" {
		header.Set("Mcp-Session-Id", session)
		defer func() { // whether the server ends it is the subject of HTTP-009
			_, _ = p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: header, Again: true})
		}()
	}
	if schema.TextAt(reply.Result, "/protocolVersion") != revision.ID {
		return true, nil
	}
	sent := "without MCP-Protocol-Version"
	if revision.VersionHeader {
		header.Set("Mcp-Protocol-Version", revision.ID)
		sent = "with MCP-Protocol-Version: " + revision.ID
	}
	if _, err := post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return true, err
	}
	method := "ping"
	if p.Declares("tools") {
		method = "tools/list"
	}
	a, err = post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, v.id(), method))
	if err != nil {
		return true, err
	}
	if isServed(a) {
		return true, nil
	}
	usual, err := p.inOwnRevision(ctx, method)
	if err != nil || usual.Reply.Error != nil {
		return true, err // the other revision is not the reason
	}
	p.Report(Evidence{Answer: a, Subject: "initialize"},
		"initialize accepted %s: expected a result of %s %s, got HTTP %d and %s", revision.ID, method, sent, a.Status,
		refusalOf(a))
	return true, nil
}

// inOwnRevision makes the request in the shared session; instead of ping, any that the server must support.
func (p *CheckContext) inOwnRevision(ctx context.Context, method string) (*mcp.Exchange, error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	if method == "ping" {
		return p.Alive(ctx, s)
	}
	return p.CallIn(ctx, s, method, nil)
}

// isServed reports whether a response is not one that rejects a request because of its revision. LIFE-005 reports a missing
// ping, and other checks report that a session or a token is unknown.
func isServed(a *HTTPExchange) bool {
	switch reply := a.Reply(); a.Status {
	case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusServiceUnavailable:
		return true
	default:
		return a.Status/100 == 2 && (reply == nil || reply.Error == nil || reply.Error.Code == mcp.CodeMethodNotFound)
	}
}

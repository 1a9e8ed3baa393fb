package conform

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/sdk"
)

var http045 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-045",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `server must accept more than one client

The server rejects initialize while another client is connected, often with "Server already initialized". A server over HTTP
must handle several clients: otherwise, only the first client can use it until it is restarted. It is a warning if the server
accepts the next client after the end of the first session, or ends the first session for the second client: then it serves one
session at a time, and the other checks run one after the other.

Create a transport and a server for each session. Typical cause: one transport for all clients.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(_ context.Context, p *CheckContext) error {
		switch a, where := p.round.refusal, (Evidence{Subject: "initialize", Answer: p.round.refusal}); {
		case p.round.replaced:
			p.Warn(Evidence{Subject: "initialize"}, "server serves one session at a time: initialize of a "+
				"second client ended the session of the first one, whose next request got HTTP 404, expected a result")
		case a == nil:
		case p.round.processes.one():
			p.Warn(where, "server serves one session at a time: initialize of a second client got %s, and a result after the first "+
				"session had ended, expected a result in both cases", strings.TrimSuffix(clip.Text(a.Reply().Error.Error(), 160), "."))
		default:
			p.Report(where, "%s", secondRefused(a.Reply().Error))
		}
		return nil
	},
}

func secondRefused(e *mcp.RPCError) string {
	return "initialize of a second client: expected a result, as the first client got, got " + clip.Text(e.Error(), 160)
}

// oneClient is why checks did not run on a server that accepts one client.
const oneClient = "the server accepts only one client at a time"

// trySecondClient connects as a second client while the first session is open, and stores the response if the server
// rejects it. A server that accepts the next client after the end of that session serves one session at a time.
func (r *revisionRun) trySecondClient(ctx context.Context) {
	if transportOf(r.target.Transport()) != OnHTTP || r.revision.Era == spec.Modern || r.locked ||
		r.opts.Auth != nil {
		return
	}
	p := &CheckContext{Check: http045, Revision: r.revision, Target: r.target, round: r}
	defer func() { p.recorder.close() }()
	a, leave := p.knock(ctx)
	if a == nil || a.Reply() == nil {
		leave()
		return
	}
	if a.Reply().Error == nil {
		gone := p.isGone(ctx, r.sessions.first)
		leave()
		if r.replaced = gone && p.replacesNext(ctx); r.replaced {
			r.processes.closeAll()
			r.processes.allowOne()
		}
		return
	}
	leave()
	if first, err := p.Alive(ctx, r.sessions.first); err != nil || first.Reply.Error != nil {
		return
	}
	switch p.servesNext(ctx) {
	case oneAtATime:
		r.refusal = a
		r.processes.allowOne()
	case onlyTheFirst:
		if isOwnRefusal(a.Status) {
			r.refusal = a
		}
	}
}

// replacesNext reports whether the server, which no longer knows the session of the first client, also forgets that of the next one as soon
// as another client is connected.
func (p *CheckContext) replacesNext(ctx context.Context) bool {
	s, err := p.round.open(ctx, "again", nil)
	if err != nil || p.isGone(ctx, s) {
		return false
	}
	a, leave := p.knock(ctx)
	defer leave()
	return a != nil && a.Reply() != nil && a.Reply().Error == nil && p.isGone(ctx, s)
}

// isGone reports whether the server no longer knows a session. A session is renewed by requests that may be repeated, such as ping, but
// not by this one.
func (p *CheckContext) isGone(ctx context.Context, s *mcp.Session) bool {
	_, err := s.Do(ctx, mcp.Request{Method: sdk.UnknownMethod, Timeout: p.round.opts.Timeout})
	var expired *mcp.SessionExpiredError
	return errors.As(err, &expired)
}

// knock sends initialize as another client; the response is nil if there was none. leave ends the session that it got.
func (p *CheckContext) knock(ctx context.Context) (a *HTTPExchange, leave func()) {
	v := &HTTPSession{p: p}
	a, err := p.fetch(ctx, Fetch{Header: v.Header("initialize", ""), Body: v.Initialize(p.Revision.ID)})
	if err != nil {
		return nil, func() {}
	}
	v.Session = a.Header.Get("Mcp-Session-Id")
	return a, func() {
		if v.Session != "" {
			_, _ = p.fetch(ctx, Fetch{Method: http.MethodDelete, Header: v.Header("", "")})
		}
	}
}

// How a server goes on that has rejected a second client.
const (
	onlyTheFirst = iota // it also rejects the next client
	oneAtATime          // it accepts the next one, and rejects a second one again
	overloaded          // it accepts both: what it does depends on its load
)

// servesNext finds out how the server goes on when the session of the first client has ended.
func (p *CheckContext) servesNext(ctx context.Context) int {
	s, count := p.round.sessions.first, &p.round.processes
	if s.Handshake == nil || s.Handshake.Header.Get("Mcp-Session-Id") == "" {
		return onlyTheFirst
	}
	count.closeAll()
	var next *mcp.Session
	for range freeTries {
		var err error
		if next, err = p.round.open(ctx, "next", nil); err == nil {
			break
		}
		select {
		case <-time.After(freeWait):
		case <-ctx.Done():
		}
	}
	if next == nil {
		return onlyTheFirst
	}
	a, leave := p.knock(ctx)
	leave()
	if a == nil || a.Reply() == nil || a.Reply().Error == nil {
		return overloaded
	}
	return oneAtATime
}

// How long a server may take to free a session that has ended.
const (
	freeTries = 5
	freeWait  = 200 * time.Millisecond
)

// isOwnRefusal reports whether a status can be that of a server that already has a client: it is neither about
// authorization nor about load.
func isOwnRefusal(status int) bool {
	return status/100 == 2 || status == http.StatusBadRequest || status == http.StatusConflict ||
		status == http.StatusNotFound || status == http.StatusInternalServerError
}

// SecondClientRefused returns a report with HTTP-045 if an error means that the server rejected a client although
// another one of ours is connected to it; nil otherwise.
func SecondClientRefused(err error) *finding.Report {
	var refused *mcp.HandshakeError
	if !errors.As(err, &refused) {
		return nil
	}
	return &finding.Report{Rules: []finding.Rule{http045.Rule}, Results: []finding.Result{
		{Rule: http045.ID, Findings: []finding.Finding{{Rule: http045.ID, Severity: http045.Severity,
			Where: finding.Location{Subject: "initialize"}, Message: secondRefused(refused.Refusal)}}},
		{Name: "other checks", Broken: oneClient}}}
}

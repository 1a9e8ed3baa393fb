package conform

import (
	"context"
	"errors"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http045 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-045",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `server must accept more than one client

Only the first client can use the server until it is restarted: it rejects initialize while another client is connected, often
with "Server already initialized". A server over HTTP must handle several clients. Typical cause: one transport for all
clients. Create a transport and a server for each session.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(_ context.Context, p *CheckContext) error {
		if a := p.round.refusal; a != nil {
			p.Report(Evidence{Subject: "initialize", Answer: a}, "%s", secondRefused(a.Reply().Error))
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
// rejects it.
func (r *revisionRun) trySecondClient(ctx context.Context) {
	if transportOf(r.target.Transport()) != OnHTTP || r.revision.Era == spec.Modern || r.locked ||
		r.opts.Auth != nil {
		return
	}
	p := &CheckContext{Check: http045, Revision: r.revision, Target: r.target, round: r}
	defer func() { p.recorder.close() }()
	v := &HTTPSession{p: p}
	a, err := p.Fetch(ctx, Fetch{Header: v.Header("initialize", ""), Body: v.Initialize(r.revision.ID)})
	if err != nil {
		return
	}
	if v.Session = a.Header.Get("Mcp-Session-Id"); v.Session != "" {
		_, _ = p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: v.Header("", "")})
	}
	if reply := a.Reply(); reply == nil || reply.Error == nil || !isOwnRefusal(a.Status) {
		return
	}
	if first, err := p.Alive(ctx, r.sessions.first); err == nil && first.Reply.Error == nil {
		r.refusal = a
	}
}

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

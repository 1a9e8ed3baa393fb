package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth010 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `every method must require a token

It is not enough to protect the handshake: tools/call needs no handshake in revisions from 2026-07-28 on, and many
servers of earlier revisions do not require one either.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		if t.request.method != p.handshakeMethod() {
			return p.Skip("%s needs no token", p.handshakeMethod())
		}
		v := &HTTPSession{p: p}
		a, err := p.Fetch(ctx, Fetch{Header: v.Header("tools/list", ""), Body: v.Body("tools/list", ""),
			Anonymous: true})
		if err != nil {
			return err
		}
		if reply := a.Reply(); a.Status/100 == 2 && reply != nil && reply.Error == nil {
			p.Report(Evidence{Answer: a, Subject: "tools/list"},
				"tools/list was served without a token, while %s is rejected, expected 401", p.handshakeMethod())
		}
		return nil
	},
}

// handshakeMethod returns the method that opens a session.
func (p *CheckContext) handshakeMethod() string {
	if p.Modern() {
		return "server/discover"
	}
	return "initialize"
}

package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http011 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-011",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `GET and DELETE must return 405

Revisions from 2026-07-28 on have neither sessions nor a standalone stream. If a server still accepts GET or DELETE,
older clients assume that it supports their revision. A server that also supports revisions up to 2025-11-25 may respond
to clients that name no revision.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete} {
			h := v.Header("", "")
			h.Set("Accept", "text/event-stream")
			h.Del("Content-Type")
			a, err := p.Fetch(ctx, Fetch{Method: method, Header: h, Open: true})
			if err != nil {
				return err
			}
			if a.Status != http.StatusMethodNotAllowed {
				p.Report(Evidence{Answer: a, Subject: method}, "%s in revision %s: got HTTP %d, expected 405", method,
					p.Revision.ID, a.Status)
			}
		}
		return nil
	},
}

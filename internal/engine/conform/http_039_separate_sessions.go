package conform

import (
	"context"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http039 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-039",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `sessions must not depend on each other

A second client that connects or terminates its session must not affect the first. Servers with one transport for all
clients return errors to the first client as soon as another connects.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		first, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		second, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if a, err := first.Ping(ctx, nil); err != nil || a.Status/100 != 2 {
			return p.disturbed(a, err, "after a second client connected")
		}
		if second.Session == "" {
			return nil
		}
		if _, err := p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: second.Header("", "")}); err != nil {
			return err
		}
		if a, err := first.Ping(ctx, nil); err != nil || a.Status/100 != 2 {
			return p.disturbed(a, err, "after a second client terminated its session")
		}
		return nil
	},
}

// disturbed reports that the session of one client no longer works.
func (p *CheckContext) disturbed(a *HTTPExchange, err error, when string) error {
	if err == nil {
		p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"},
			"request of the first client %s: expected a response, got HTTP %d", when, a.Status)
	}
	return err
}

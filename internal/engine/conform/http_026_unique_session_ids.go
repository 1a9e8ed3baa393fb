package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http026 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-026",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `session ids must be unique

Two clients with the same ID share a session: each receives the responses and notifications of the other.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		other, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		if v.Session == "" {
			return p.Skip("server has no sessions")
		}
		if v.Session == other.Session {
			p.Report(Evidence{Answer: other.Handshake, Subject: "Mcp-Session-Id"},
				"two sessions have the same ID, expected unique IDs")
		}
		return nil
	},
}

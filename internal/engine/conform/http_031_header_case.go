package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http031 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-031",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http#case-sensitivity"),
		Doc: `header names must be case-insensitive

HTTP treats MCP-Protocol-Version and mcp-protocol-version as the same name, and HTTP/2 uses lower case only. A server
that expects one spelling works only with its own client.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		usual, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if usual.Status/100 != 2 {
			return p.Skip("%s: got HTTP %d", p.pinged(), usual.Status)
		}
		for _, one := range []struct {
			letters  string
			spelling func(string) string
		}{{"capital", strings.ToUpper}, {"small", strings.ToLower}} {
			a, err := p.Fetch(ctx, Fetch{Header: v.Header(p.pinged(), ""), Spelling: one.spelling,
				Body: v.Body(p.pinged(), "")})
			if err != nil {
				return err
			}
			if a.Status/100 != 2 {
				p.Report(Evidence{Answer: a, Subject: "header names"},
					"request with header names in %s letters: got HTTP %d, expected the same as for any other spelling",
					one.letters, a.Status)
			}
		}
		return nil
	},
}

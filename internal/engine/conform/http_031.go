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
		Spec:     spec.URL("2026-07-28", "basic/transports/streamable-http#case-sensitivity"),
		Doc: `Header names are the same in capital and in small letters.

HTTP does not tell MCP-Protocol-Version from mcp-protocol-version, and HTTP/2 knows small letters alone. A server that looks for
one spelling works with its own client and with no other.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		usual, err := v.Ping(ctx, nil)
		if err != nil {
			return err
		}
		if usual.Status/100 != 2 {
			return p.Skip("%s is answered with HTTP %d", p.pinged(), usual.Status)
		}
		for _, one := range []struct {
			letters  string
			spelling func(string) string
		}{{"capital", strings.ToUpper}, {"small", strings.ToLower}} {
			a, err := p.Fetch(ctx, Fetch{Header: v.Header(p.pinged(), ""), Spelling: one.spelling, Body: v.Body(p.pinged(), "")})
			if err != nil {
				return err
			}
			if a.Status/100 != 2 {
				p.Report(Seen{Answer: a, Subject: "header names"}, "a request with the names of its headers in %s letters was answered with HTTP %d; want the same as for any other spelling", one.letters, a.Status)
			}
		}
		return nil
	},
}

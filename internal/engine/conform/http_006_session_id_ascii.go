package conform

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http006 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-006",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `session id must be visible ASCII

The ID is sent in a header. Spaces, control characters and non-ASCII letters are altered or rejected in transit.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		if i := strings.IndexFunc(v.Session, func(r rune) bool { return r < 0x21 || r > 0x7e }); i >= 0 {
			r, _ := utf8.DecodeRuneInString(v.Session[i:])
			p.Report(Evidence{Answer: v.Handshake, Subject: "Mcp-Session-Id"},
				"session ID contains %q, expected only visible ASCII characters", r)
		}
		return nil
	},
}

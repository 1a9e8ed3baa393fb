package conform

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http006 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-006",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/transports#streamable-http"),
		Doc: `A session id is visible ASCII.

The id travels in a header. A space, a control character or a letter beyond ASCII is changed or refused on the way.`,
	},
	Since: "2025-03-26",
	Until: mcp.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		v, err := p.VisitSession(ctx)
		if err != nil {
			return err
		}
		if i := strings.IndexFunc(v.Session, func(r rune) bool { return r < 0x21 || r > 0x7e }); i >= 0 {
			r, _ := utf8.DecodeRuneInString(v.Session[i:])
			p.Report(Seen{Answer: v.Greeted, Subject: "Mcp-Session-Id"}, "the session ID contains %q; want visible ASCII characters alone", r)
		}
		return nil
	},
}

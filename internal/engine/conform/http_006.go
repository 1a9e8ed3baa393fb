package conform

import (
	"context"
	"strings"

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
		if strings.ContainsFunc(v.Session, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
			p.Report(Seen{Answer: v.Greeted, Subject: "Mcp-Session-Id"}, "the session id is %q; want visible ASCII characters alone", clip(v.Session, 80))
		}
		return nil
	},
}

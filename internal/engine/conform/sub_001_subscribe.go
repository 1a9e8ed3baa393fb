package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub001 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-001",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "server/resources#subscriptions"),
		Doc: `resources/subscribe and resources/unsubscribe must succeed for a listed resource

A server that declares resources.subscribe must return a result for resources/subscribe and resources/unsubscribe of a
listed resource.`,
	},
	Until: spec.November2025,
	Needs: "resources/subscribe",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "resources/list")
		if err != nil {
			return err
		}
		s, err := p.Other(ctx)
		if err != nil {
			return err
		}
		for _, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
			ex, err := p.CallIn(ctx, s, method, mcp.Object("uri", list.Items[0].Name))
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil {
				p.Report(Evidence{Subject: list.Items[0].Name, Exchange: ex}, "%s failed with error %d: %s", method,
					refusal.Code, errorLine(refusal))
			}
		}
		return nil
	},
}

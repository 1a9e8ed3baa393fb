package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
		sub, err := p.endedSubscription(ctx)
		if err != nil {
			return err
		}
		for _, ex := range sub.exchanges {
			if refusal := ex.Reply.Error; refusal != nil {
				p.Report(Evidence{Subject: sub.uri, Exchange: ex}, "%s failed with error %d: %s", ex.Request.Method,
					refusal.Code, errorLine(refusal))
			}
		}
		return nil
	},
}

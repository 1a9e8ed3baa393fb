package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub008 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-008",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#subscriptions"),
		Doc: `server should send resources/updated when a subscribed resource changes

A call of a tool changed the content of a subscribed resource, which stays the same otherwise, and
notifications/resources/updated did not arrive within 2 seconds. Hosts show the old content. Typical cause: subscriptions are
looked up under another URI than they are stored. Only changes by tools that may be called are checked: name them with
--tools or --allow.`,
	},
	Needs: "resources/subscribe",
	Alone: true, // calls of other checks would change the resources
	Run: func(ctx context.Context, p *CheckContext) error {
		run, err := p.updates(ctx)
		if err != nil {
			return err
		}
		for _, c := range run.silent {
			p.once(Evidence{Subject: c.uri, Exchange: c.after, Led: true},
				"%s changed this subscribed resource: expected notifications/resources/updated, got none", c.tool)
		}
		return nil
	},
}

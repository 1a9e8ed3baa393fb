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

The text of a subscribed resource changed twice, by itself or each time when tools were called, and no
notifications/resources/updated for its URI, or for a resource above or below it, arrived within 6 seconds. The server accepts
subscriptions and does nothing with them, or looks them up under another URI than they are stored: hosts show the old content.
Notify subscribers, or do not declare resources.subscribe. Resources that are different each time they are read, clocks, ages,
measurements of the system, and counters and logs of requests are not checked.`,
	},
	Needs: "resources/subscribe",
	Last:  true, // calls of other checks would change the resources; and by then, most changes are seen without waiting
	Run: func(ctx context.Context, p *CheckContext) error {
		moving, err := p.movingResources(ctx)
		if err != nil {
			return err
		}
		if err := p.silentByThemselves(ctx, moving); err != nil {
			return err
		}
		return p.silentAfterCalls(ctx, moving)
	},
}

// silentByThemselves reports resources that change without calls of ours, and without a notification.
func (p *CheckContext) silentByThemselves(ctx context.Context, moving []string) error {
	if len(moving) == 0 {
		return nil
	}
	w, err := p.watch(ctx, moving)
	if err != nil {
		return err
	}
	for range silentChanges {
		if err := w.observe(ctx); err != nil {
			return err
		}
	}
	for _, r := range w.silent(ctx) {
		p.Report(Evidence{Subject: r.uri, Exchange: r.last, Led: true},
			"changed %d times while subscribed: expected notifications/resources/updated, got none", silentChanges)
	}
	return nil
}

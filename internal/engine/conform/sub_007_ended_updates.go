package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub007 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-007",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#subscriptions"),
		Doc: `server should not send resources/updated after the subscription has ended

After resources/unsubscribe, or after a subscription from 2026-07-28 on was cancelled, the server still sends
notifications/resources/updated. Hosts read the resource again each time, and the server keeps every subscription that a
client ever made. Typical cause: subscriptions are removed under another key than they are stored. Notifications within
200 ms after the end are ignored.`,
	},
	Needs: "resources/subscribe",
	Last:  true, // the other checks run while the server may send updates
	Run: func(ctx context.Context, p *CheckContext) error {
		if p.Modern() && transportOf(p.Target.Transport()) == OnHTTP {
			return p.Skip("a subscription over HTTP ends with its stream")
		}
		sub, err := p.endedSubscription(ctx)
		switch {
		case err != nil:
			return err
		case sub.refused():
			return p.Skip("no subscription was made and ended")
		case p.isCrowded(sub.session):
			return p.Skip("%s", p.needsTwo())
		}
		p.waitUntil(ctx, sub.ended.Add(time.Second))
		for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
			after := s.message.Frame.Time.Sub(sub.ended)
			if sub.isUpdate(p, s) && after >= maxUpdateDelay {
				p.Report(Evidence{Subject: sub.uri, Frames: s.frames},
					"%s %s after the subscription ended, expected none", s.method, after.Round(10*time.Millisecond))
				return nil
			}
		}
		return nil
	},
}

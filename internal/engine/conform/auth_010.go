package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth010 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization"),
		Doc: `No method is served without a token.

Protection that covers the handshake and forgets the rest protects nothing: tools/call works without a handshake in the modern
era, and in many servers of the older one.`,
	},
	Since: "2025-03-26",
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		if _, err := p.Protection(ctx); err != nil {
			return err
		}
		v := &Visit{p: p}
		a, err := p.Fetch(ctx, Fetch{Header: v.Header("tools/list", ""), Body: v.Body("tools/list", ""), Anonymous: true})
		if err != nil {
			return err
		}
		if reply := a.Reply(); a.Status/100 == 2 && reply != nil && reply.Error == nil {
			p.Report(Seen{Answer: a, Subject: "tools/list"}, "tools/list was served without a token, while %s is refused; want 401", p.greeted())
		}
		return nil
	},
}

// greeted is the method of the greeting.
func (p *Pass) greeted() string {
	if p.Modern() {
		return "server/discover"
	}
	return "initialize"
}

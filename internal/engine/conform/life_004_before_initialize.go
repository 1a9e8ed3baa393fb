package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var life004 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-004",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#initialization"),
		Doc: `requests other than ping should be rejected before initialize

The handshake comes first: before it, neither side knows what the other supports. A server that responds to a list
request before initialize uses a revision that was not negotiated. Many SDKs do, so this is a warning.`,
	},
	Until: spec.NewestLegacy,
	On:    OnPipe,
	Run: func(ctx context.Context, p *CheckContext) error {
		method := ""
		for _, list := range []string{"tools", "prompts", "resources"} {
			if method == "" && p.Declares(list) {
				method = list + "/list"
			}
		}
		if method == "" {
			return p.Skip("server declares no list to request")
		}
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, method, nil)
		if died(err) && s.Err() != nil {
			p.Warn(Evidence{Subject: method}, "%s before initialize terminated the server: %s, expected an error",
				method, clip.Text(wire.Reason(err), 200))
			return nil
		}
		if died(err) {
			return nil // no response also counts as a rejection
		}
		if err == nil && ex.Reply.Error == nil {
			p.Report(Evidence{Exchange: ex}, "%s was served before initialize, expected an error", method)
		}
		return err
	},
}

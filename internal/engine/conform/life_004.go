package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life004 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-004",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#initialization"),
		Doc: `Nothing but ping is served before initialize.

The handshake comes first: before it neither side knows what the other understands. A server that serves a list to a client
which has not introduced itself serves it in a revision that nobody agreed on. Many SDKs do, so this is a warning.`,
	},
	Until: mcp.NewestLegacy,
	On:    OnPipe,
	Run: func(ctx context.Context, p *Pass) error {
		method := ""
		for _, list := range []string{"tools", "prompts", "resources"} {
			if method == "" && p.Declares(list) {
				method = list + "/list"
			}
		}
		if method == "" {
			return p.Skip("the server declares no list to ask for")
		}
		s, err := p.Bare(ctx)
		if err != nil {
			return err
		}
		ex, err := p.CallIn(ctx, s, method, nil)
		if died(err) && s.Err() != nil {
			p.Warn(Seen{Subject: method}, "%s before initialize ended the server: %s; want an error", method, clip(err.Error(), 200))
			return nil
		}
		if died(err) {
			return nil // silence is a refusal, too
		}
		if err == nil && ex.Reply.Error == nil {
			p.Report(Seen{Exchange: ex}, "%s was served before initialize; want an error", method)
		}
		return err
	},
}

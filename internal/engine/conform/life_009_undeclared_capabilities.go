package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life009 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-009",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#capability-negotiation"),
		Doc: `tools, resources and prompts must be declared

A server that has tools, resources or prompts must declare the capability. Clients request only what a server declares,
so they never use a list that is served but not declared.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, capability := range listed {
			if p.Declares(capability) {
				continue
			}
			ex, err := p.undeclared(ctx, capability)
			if err != nil {
				return err
			}
			if items := entries(ex, capability); ex.Reply.Error == nil && len(items) > 0 {
				p.Report(Evidence{Exchange: ex}, "%s/list: expected no entries without the capability %s, got %d",
					capability, capability, len(items))
			}
		}
		return nil
	},
}

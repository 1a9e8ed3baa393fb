package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life009 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-009",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#capability-negotiation"),
		Doc: `What is there is declared.

Clients ask only for what a server declares. A list that is served without being declared is never seen.`,
	},
	Run: func(ctx context.Context, p *Pass) error {
		for _, capability := range []string{"tools", "resources", "prompts"} {
			if p.Declares(capability) {
				continue
			}
			ex, err := p.Call(ctx, capability+"/list", nil)
			if err != nil {
				return err
			}
			items, _ := schema.Elements(At(ex.Reply.Result, "/"+capability))
			if ex.Reply.Error == nil && len(items) > 0 {
				p.Report(Seen{Exchange: ex}, "%s/list has %d entries, but %s is not declared; want it among the capabilities", capability, len(items), capability)
			}
		}
		return nil
	},
}

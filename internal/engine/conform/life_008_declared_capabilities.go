package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life008 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-008",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#capability-negotiation"),
		Doc: `declared capabilities must be implemented

A capability is a promise: clients call its methods if it is declared. If a declared method is missing, the client fails
although the server announced support.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		asked := 0
		for _, c := range []struct{ capability, method, params string }{
			{"tools", "tools/list", "{}"}, {"resources", "resources/list", "{}"}, {"prompts", "prompts/list", "{}"},
			{"completions", "completion/complete", `{"ref":{"type":"ref/prompt","name":"mcptest-none"},` +
				`"argument":{"name":"none","value":""}}`},
		} {
			if !p.Declares(c.capability) {
				continue
			}
			asked++
			ex, err := p.Call(ctx, c.method, c.params)
			if err != nil {
				return err
			}
			if e := ex.Reply.Error; e != nil && e.Code == mcp.CodeMethodNotFound {
				p.Report(Evidence{Exchange: ex}, "%s is declared, but %s failed: %v", c.capability, c.method, e)
			}
		}
		if asked == 0 {
			return p.Skip("server declares no capability with methods")
		}
		return nil
	},
}

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
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#capability-negotiation"),
		Doc: `What is declared is there.

A capability is a promise: a client that reads it calls the methods behind it. A method that a server declares and does not
have makes the client fail where it was told that it would not.`,
	},
	Run: func(ctx context.Context, p *Pass) error {
		asked := 0
		for _, c := range []struct{ capability, method, params string }{
			{"tools", "tools/list", "{}"}, {"resources", "resources/list", "{}"}, {"prompts", "prompts/list", "{}"},
			{"completions", "completion/complete", `{"ref":{"type":"ref/prompt","name":"mcptest-none"},"argument":{"name":"none","value":""}}`},
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
				p.Report(Seen{Exchange: ex}, "the server declares %s but answers %s with %v; want the method", c.capability, c.method, e)
			}
		}
		if asked == 0 {
			return p.Skip("the server declares nothing that has methods")
		}
		return nil
	},
}

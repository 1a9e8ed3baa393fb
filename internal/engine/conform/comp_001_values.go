package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp001 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/completion#requesting-completions"),
		Doc: `completion must return at most 100 string values

A host shows the values in a menu while a user types. Values are strings, and there are at most 100 of them.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		ex, err := p.completed(ctx)
		if err != nil {
			return err
		}
		p.countValues(ex)
		for _, one := range p.completions(ctx) {
			if schema.TextAt(one, "/argument/value") != "" || equalJSON(one, ex.Request.Params) {
				continue // an empty value has the most completions
			}
			if ex, err := p.Call(ctx, "completion/complete", one); err != nil {
				return err
			} else if ex.Reply.Error == nil {
				p.countValues(ex)
			}
		}
		return nil
	},
}

// countValues reports a completion with too many values.
func (p *CheckContext) countValues(ex *mcp.Exchange) {
	values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
	if len(values) > 100 {
		p.Report(Evidence{Exchange: ex, Pointer: "/completion/values"}, "%d values, expected at most 100", len(values))
	}
}

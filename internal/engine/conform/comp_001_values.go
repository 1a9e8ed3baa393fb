package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
		values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
		if len(values) > 100 {
			p.Report(Evidence{Exchange: ex, Pointer: "/completion/values"}, "%d values, expected at most 100",
				len(values))
		}
		return nil
	},
}

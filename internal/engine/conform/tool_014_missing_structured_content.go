package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool014 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-014",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `tool with outputSchema must return structuredContent

The schema is a promise: without structuredContent, programs that rely on it cannot use the result.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.structured(ctx)
		for _, c := range done {
			if At(c.Result(), "/structuredContent") == nil {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/structuredContent"},
					"tool has an outputSchema but its result has no structuredContent, expected it")
			}
		}
		return err
	},
}

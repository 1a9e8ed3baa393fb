package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt002 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#listing-prompts"),
		Doc: `The list of prompts is the same for two clients in a row.

A list whose order changes from one reading to the next makes hosts believe that it has changed.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *Pass) error { return p.repeated(ctx, "prompts/list") },
}

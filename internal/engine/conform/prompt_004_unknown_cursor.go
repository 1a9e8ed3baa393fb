package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt004 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-004",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/pagination#error-handling"),
		Doc: `prompts/list should reject an unknown cursor

After error -32602, a client with an outdated cursor starts over.`,
	},
	Needs: "prompts",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.cursorRefused(ctx, "prompts/list") },
}

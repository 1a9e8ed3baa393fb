package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl003 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/pagination#error-handling"),
		Doc: `resources/templates/list should reject an unknown cursor

After error -32602, a client with an outdated cursor starts over.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.cursorRefused(ctx, "resources/templates/list")
	},
}

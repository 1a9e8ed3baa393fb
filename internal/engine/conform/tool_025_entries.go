package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool025 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-025",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `each entry of tools/list must be a valid tool

A tool without a name, or with a field of the wrong type, makes typed clients reject the whole list or silently drop the
entry. Give each field the type that the revision defines.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.soundEntries(ctx, "tools/list")
	},
}

package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool005 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `tool names should be unique

A tool is called by its name. If two tools have the same name, a client can call only one of them, and which one is
undefined.

Rename one of them. If a page of the list repeats tools of an earlier one, let it start after the last tool of the page before.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.unique(ctx, "tools/list", "tool") },
}

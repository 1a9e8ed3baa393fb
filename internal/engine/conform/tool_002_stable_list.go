package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool002 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#listing-tools"),
		Doc: `tools/list should be stable between clients

Hosts keep the list of tools in the context of the model and compare it with the previous one. If the order differs
between readings, that context (and its cache) becomes useless; if items appear and disappear without a notification,
tools stay hidden.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *CheckContext) error { return p.repeated(ctx, "tools/list") },
}

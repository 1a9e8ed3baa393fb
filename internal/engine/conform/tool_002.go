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
		Doc: `The list of tools is the same for two clients in a row.

Hosts keep the list of tools in the model's context and compare it with what they had. A list whose order changes from
one reading to the next makes that context useless, and one whose items come and go without a notification hides
tools.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *Pass) error { return p.repeated(ctx, "tools/list") },
}

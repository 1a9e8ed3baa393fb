package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl001 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-001",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `A server that declares resources lists its templates.

Clients that offer resources ask for resources/templates/list, too. A server without templates answers with an empty
array.`,
	},
	Needs: "resources",
	Run:   func(ctx context.Context, p *Pass) error { return p.answered(ctx, "resources/templates/list") },
}

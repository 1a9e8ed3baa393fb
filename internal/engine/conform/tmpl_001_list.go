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
		Doc: `server that declares resources should implement resources/templates/list

Clients that offer resources also request resources/templates/list. A server without templates returns an empty array.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.expectResponse(ctx,
			"resources/templates/list")
	},
}

package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl007 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `each entry of resources/templates/list must be a valid resource template

A resource template without a name, or with a field of the wrong type, makes typed clients reject the whole list or
silently drop the entry. Give each field the type that the revision defines.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.soundEntries(ctx, "resources/templates/list")
	},
}

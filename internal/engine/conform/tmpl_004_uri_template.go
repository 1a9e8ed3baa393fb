package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl004 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `uriTemplate must be a valid RFC 6570 URI template

A client expands a template according to RFC 6570: names in braces, separated by commas, with an optional operator
before and a modifier after them. Anything else cannot be expanded.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			if problem := templateProblem(item.Name); item.Name != "" && problem != "" {
				p.Report(Evidence{Subject: item.Name, Pointer: "/uriTemplate", Exchange: pageOf(list, item)},
					"%s, expected a URI template", problem)
			}
		}
		return nil
	},
}

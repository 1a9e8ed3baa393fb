package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl009 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `variable of a resource template should have an effect

Two resources of the template, with two arbitrary values of its variable, have the same contents. The server ignores the
value: whatever a user selects, the model reads the same document, and a value that does not exist gives no error.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.unknownReads(ctx)
		for _, r := range all {
			if r.contents[0] != "" && r.contents[0] == r.contents[1] {
				p.Report(Evidence{Subject: r.template, Exchange: r.last, Pointer: "/contents"},
					"two values of the variable: expected different contents or an error, got the same contents")
			}
		}
		return err
	},
}

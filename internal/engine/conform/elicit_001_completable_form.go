package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var elicit001 = &Check{
	Rule: finding.Rule{
		ID:       "ELICIT-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("client/elicitation#requested-schema"),
		Doc: `elicitation form must be possible to complete

Every required field must be among the properties of the form, and a field with choices must offer at least one.
Otherwise the form cannot be submitted.`,
	},
	Since: spec.June2025,
	Run: func(ctx context.Context, p *CheckContext) error {
		questions, err := p.Questions(ctx)
		for _, q := range questions {
			form := At(q.Params, "/requestedSchema")
			required, _ := schema.Elements(At(form, "/required"))
			for _, raw := range required {
				if name, _ := schema.Text(raw); q.Method == "elicitation/create" &&
					At(form, "/properties/"+schema.Token(name)) == nil {
					p.Report(Evidence{Subject: q.Tool, Exchange: q.Exchange, Pointer: q.Pointer},
						"form requires %s but has no such field, expected it in properties", quoted(name))
				}
			}
			fields, _ := schema.Members(At(form, "/properties"))
			for _, f := range fields {
				if raw := At(f.Value, "/enum"); raw != nil && q.Method == "elicitation/create" &&
					strings.TrimSpace(string(raw)) == "[]" {
					p.Report(Evidence{Subject: q.Tool, Exchange: q.Exchange, Pointer: q.Pointer},
						"field %s offers no choices, expected at least one", quoted(f.Name))
				}
			}
		}
		return err
	},
}

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
		Doc: `A form that is put to a person can be filled in.

What the form requires stands among its fields, and a field that offers choices offers some. Otherwise nobody can send
it.`,
	},
	Since: "2025-06-18",
	Run: func(ctx context.Context, p *Pass) error {
		questions, err := p.Questions(ctx)
		for _, q := range questions {
			form := At(q.Params, "/requestedSchema")
			required, _ := schema.Elements(At(form, "/required"))
			for _, raw := range required {
				if name, _ := schema.Text(raw); q.Method == "elicitation/create" && At(form, "/properties/"+schema.Token(name)) == nil {
					p.Report(Seen{Subject: q.Tool, Exchange: q.Exchange, Pointer: q.Pointer}, "the form requires %s and has no such field; want it among properties", quoted(name))
				}
			}
			fields, _ := schema.Members(At(form, "/properties"))
			for _, f := range fields {
				if raw := At(f.Value, "/enum"); raw != nil && q.Method == "elicitation/create" && strings.TrimSpace(string(raw)) == "[]" {
					p.Report(Seen{Subject: q.Tool, Exchange: q.Exchange, Pointer: q.Pointer}, "the field %s offers no choice; want at least one", quoted(f.Name))
				}
			}
		}
		return err
	},
}

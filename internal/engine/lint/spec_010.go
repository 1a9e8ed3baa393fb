package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec010 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-010",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `A dialect that nobody knows.

The $schema of a tool's schema names no dialect that implementations can be expected to know. They must support 2020-12
and answer others with an error, so the tool may be refused.

Leave $schema out, which means 2020-12, or name a published draft.`,
	},
	Check: func(p *Pass) {
		for _, doc := range p.Schemas() {
			if problem := doc.problem(p.Revision); problem != nil && problem.Kind == schema.UnknownDialect {
				p.Report(doc.Field+"/$schema", "%s", problem.Message)
			}
		}
	},
}

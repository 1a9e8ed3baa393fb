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
		Doc: `unknown JSON Schema dialect

The $schema does not name a dialect that implementations can be expected to support. They must support 2020-12 and
return an error for others, so the tool may be rejected.

Omit $schema, which means 2020-12, or use a published draft.`,
	},
	Check: func(p *Pass) {
		for _, doc := range p.Schemas() {
			if problem := doc.problem(p.Revision); problem != nil && problem.Kind == schema.UnknownDialect {
				p.Report(doc.Field+"/$schema", "%s", problem.Message)
			}
		}
	},
}

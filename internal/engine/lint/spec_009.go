package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec009 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-009",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `A schema that is not valid in its dialect.

A schema must be valid in the dialect that $schema names, or else in the default of the revision. Validators refuse an
invalid schema, or skip the keyword in error, so that nothing is checked.

Mend the place that the finding names.`,
	},
	Check: func(p *Pass) {
		for _, doc := range p.Schemas() {
			problem := doc.problem(p.Revision)
			if problem == nil || problem.Kind != schema.Invalid {
				continue
			}
			if len(problem.Violations) == 0 {
				p.Report(doc.Field+problem.Pointer, "%s", problem.Message)
			}
			for _, v := range grave(problem.Violations) {
				p.Report(doc.Field+v.Path, "not valid in %s: %s", doc.dialectName(p.Revision), v.Message)
			}
		}
	},
}

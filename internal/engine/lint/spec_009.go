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
		Doc: `invalid JSON Schema

A schema must be valid in the dialect declared in $schema, or else in the default dialect of the revision. Validators
reject an invalid schema, or skip the faulty keyword, so that nothing is checked.

Fix the keyword named in the finding.`,
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
			for _, v := range withoutAdvisory(problem.Violations) {
				p.Report(doc.Field+v.Path, "not valid %s: %s", doc.dialectName(p.Revision), v.Message)
			}
		}
	},
}

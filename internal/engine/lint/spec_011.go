package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec011 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-011",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `unresolved $ref

An unresolved $ref makes the whole schema invalid: validators reject it, and hosts drop the tool or the constraint.

Add the definition, or inline the schema.`,
	},
	Check: func(p *Pass) {
		for _, doc := range p.Schemas() {
			problem := doc.problem(p.Revision)
			if problem == nil || problem.Kind != schema.BrokenRef {
				continue
			}
			broken := doc.brokenRefs()
			for _, place := range broken {
				ref, _ := place.Text("$ref")
				p.Report(place.WhereKey("$ref"), "unresolved $ref %s", quoted(ref))
			}
			if len(broken) == 0 {
				p.Report(doc.Field+problem.Pointer, "%s", problem.Message)
			}
		}
	},
}

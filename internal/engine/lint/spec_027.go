package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec027 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-027",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `schema too large or too deep

Implementations should limit the depth, size and cost of a schema, since one that is circular or expands without limit
can block them. This schema exceeds the limits of mcptest, and other implementations have limits too.

Flatten it, or split the tool.`,
	},
	Check: func(p *Pass) {
		if p.Tool.clipped {
			p.Report("", "the definition has more than %d strings, or one of more than %d bytes; the rest was not "+
				"checked", maxTexts, maxText)
		}
		for _, doc := range p.Schemas() {
			problem := doc.problem(p.Revision)
			switch {
			case doc.Deep:
				p.Report(doc.Field, "the schema nests deeper than %d levels; deeper levels were not checked",
					schema.MaxDepth)
			case doc.Large:
				p.Report(doc.Field, "the schema is too large to check: more than %d subschemas, %d values or %d "+
					"bytes; rules skipped it", maxSubschemas, maxCommas, maxBytes)
			case problem != nil && (problem.Kind == schema.OverLimit || problem.Kind == schema.EndlessRef):
				p.Report(doc.Field+problem.Pointer, "%s", problem.Message)
			}
		}
	},
}

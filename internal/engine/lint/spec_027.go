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
		Doc: `A schema that costs too much to use.

Implementations should bound the depth, the size and the work of a schema, since one that refers to itself in circles or
fans out without end can stop them. This one exceeds what mcptest is ready to do, and others will have limits too.

Flatten it, or split the tool.`,
	},
	Check: func(p *Pass) {
		if p.Tool.clipped {
			p.Report("", "the definition has more than %d strings, or one of more than %d bytes; the rest was not looked at", mostTexts, longestText)
		}
		for _, doc := range p.Schemas() {
			problem := doc.problem(p.Revision)
			switch {
			case doc.Deep:
				p.Report(doc.Field, "the schema nests deeper than %d levels; what is below was not looked at", schema.MaxDepth)
			case doc.Large:
				p.Report(doc.Field, "the schema is too large to judge: more than %d subschemas, %d values or %d bytes; no rule has looked into it", mostPlaces, mostCommas, mostBytes)
			case problem != nil && (problem.Kind == schema.OverLimit || problem.Kind == schema.EndlessRef):
				p.Report(doc.Field+problem.Pointer, "%s", problem.Message)
			}
		}
	},
}

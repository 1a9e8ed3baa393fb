package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictRefSiblings = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/ref-siblings",
		Severity: finding.Error,
		Spec:     "https://github.com/openai/openai-agents-python/blob/main/src/agents/strict_schema.py",
		Doc: `keywords next to $ref

A $ref with other constraining keywords next to it is rejected.

Move the constraint into the definition. A description may stay.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if !place.Has("$ref") {
				continue
			}
			for _, m := range place.Members {
				switch m.Name {
				case "$ref", "description", "title", "$defs", "definitions", "$schema", "$comment", "default",
					"examples", "deprecated":
				default:
					p.Report(place.WhereKey(m.Name), "%s next to $ref", m.Name)
				}
			}
		}
	},
}

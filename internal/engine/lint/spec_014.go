package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec014 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-014",
		Severity: finding.Info,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `tool without parameters accepts arbitrary arguments

For a tool that takes no arguments the specification recommends {"type": "object", "additionalProperties": false}, which
accepts only the empty object. {"type": "object"} alone accepts anything and leaves a model guessing.

Close the schema. "schema-lint --fix" does this.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Input == nil || p.Tool.Input.Root() == nil {
			return
		}
		root := p.Tool.Input.Root()
		for _, m := range root.Members {
			switch m.Name {
			case "type", "$schema", "title", "description", "$comment", "required":
			case "properties":
				if len(root.Declared()) > 0 {
					return
				}
			default:
				return
			}
		}
		p.ReportFix("/inputSchema", finding.Fix{Message: "accept only the empty object",
			Edits: p.Tool.plan.closeEdits(root)}, "the tool declares no parameters but accepts any")
	},
}

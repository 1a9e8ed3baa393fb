package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec006 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-006",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `missing inputSchema

Every tool must declare its arguments, even if it takes none. Strict clients reject the whole list because of one tool
without a schema.

For a tool without parameters use {"type": "object", "additionalProperties": false}.`,
	},
	Check: func(p *Pass) {
		if _, ok := p.Tool.Get("inputSchema"); !ok && p.Tool.Fields != nil {
			fix := finding.Fix{Message: "declare that it takes no arguments",
				Edits: []finding.Edit{{Pointer: "/inputSchema",
					Value: []byte(`{"type":"object","additionalProperties":false}`)}}}
			p.ReportFix("", fix, "the tool has no inputSchema")
		}
	},
}

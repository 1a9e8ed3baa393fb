package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec008 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `root of inputSchema is not of type object

Arguments are always a JSON object, so the root must have "type": "object". Clients reject anything else, and VS Code
replaces the schema with an empty one, so the model sees no parameters.

Add "type": "object" to the root.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Input == nil || p.Tool.Input.Root() == nil {
			return
		}
		root := p.Tool.Input.Root()
		value, ok := root.Get("type")
		if kind, _ := schema.Text(value); kind == "object" {
			return
		}
		fix := finding.Fix{Message: "set the type of the root",
			Edits: []finding.Edit{{Pointer: "/inputSchema/type", Value: []byte(`"object"`)}}}
		if !ok {
			p.ReportFix("/inputSchema", fix, `the root has no type, expected "object"`)
			return
		}
		p.Report("/inputSchema/type", `the type of the root is %s, expected "object"`, brief(string(value)))
	},
}

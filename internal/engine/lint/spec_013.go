package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec013 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#output-schema"),
		Doc: `outputSchema not allowed in this form by the revision

Up to 2025-11-25 an outputSchema must have "type": "object" at its root; from 2026-07-28 on it may be any JSON Schema
object. Before 2025-06-18 the field does not exist and clients ignore it.

Use the form that the revision requires, or check against another revision with --protocol.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("outputSchema")
		if !ok || p.Revision.Tool.OutputSchema == spec.NoOutput {
			return
		}
		if schema.Kind(value) != '{' {
			p.Report("/outputSchema", "outputSchema is %s, expected an object", kindName(value))
			return
		}
		root := p.Tool.Output.Root()
		if root == nil {
			return
		}
		if kind, _ := root.Text("type"); p.Revision.Tool.OutputSchema == spec.ObjectOutput && kind != "object" {
			p.Report("/outputSchema", `revision %s requires "type": "object" at the root of outputSchema`,
				p.Revision.ID)
		}
	},
}

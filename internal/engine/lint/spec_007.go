package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec007 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `An inputSchema that is no object.

The inputSchema must be a JSON Schema object. null, true and a schema in a string are not, and clients that check refuse
the list.

Write the schema as an object.`,
	},
	Check: func(p *Pass) {
		if value, ok := p.Tool.Get("inputSchema"); ok && schema.Kind(value) != '{' {
			p.Report("/inputSchema", "inputSchema is %s; want an object", kindName(value))
		}
	},
}

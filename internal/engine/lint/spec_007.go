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
		Doc: `inputSchema is not an object

The inputSchema must be a JSON Schema object, not null, true or a schema in a string. Clients that validate reject the
list.

Write the schema as an object.`,
	},
	Check: func(p *Pass) {
		if value, ok := p.Tool.Get("inputSchema"); ok && schema.Kind(value) != '{' {
			p.Report("/inputSchema", "inputSchema is %s, expected an object", kindName(value))
		}
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var geminiEnumString = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/enum-string",
		Severity: finding.Error,
		Spec:     "https://github.com/microsoft/azure-devops-mcp/issues/145",
		Doc: `enum with values other than strings

Enum values must be strings. With numbers or booleans, the whole request fails.

Write the values as strings, or use limits.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			list, _ := place.Get("enum")
			values, _ := schema.Elements(list)
			for _, value := range values {
				if kind := schema.Kind(value); kind != '"' && kind != 'n' {
					p.Report(place.WhereKey("enum"), "the enum has %s, expected strings only", kindName(value))
					break
				}
			}
		}
	},
}

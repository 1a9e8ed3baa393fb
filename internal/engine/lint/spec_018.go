package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec018 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-018",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#custom-headers-from-tool-parameters"),
		Doc: `x-mcp-header outside a chain of properties

A client finds the value for the header by following properties from the root. Inside items, a branch or a reference
there may be none or several. HTTP clients must skip the tool.

Move the parameter to a location that is reachable through properties only.`,
	},
	Check: func(p *Pass) {
		for _, place := range headerSubschemas(p) {
			for at := place; ; at = at.Up {
				if at.Up == nil {
					if at == place {
						p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header at the root, expected on a parameter")
					}
					break
				}
				if !at.Property() {
					p.Report(place.WhereKey("x-mcp-header"),
						"x-mcp-header inside %s, expected a chain of properties only", at.Keyword)
					break
				}
			}
		}
	},
}

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
		Doc: `An x-mcp-header where no client can find its value.

A client reads the value for the header by following properties from the root. Behind items, a branch or a reference
there may be none or many. HTTP clients must leave the tool out.

Move the parameter to where properties alone lead.`,
	},
	Check: func(p *Pass) {
		for _, place := range headerPlaces(p) {
			for at := place; ; at = at.Up {
				if at.Up == nil {
					if at == place {
						p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header stands at the root; want a parameter")
					}
					break
				}
				if !at.Property() {
					p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header stands behind %s; want a chain of properties alone", at.Keyword)
					break
				}
			}
		}
	},
}

package lint

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec016 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-016",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#custom-headers-from-tool-parameters"),
		Doc: `Two parameters that share an x-mcp-header.

Names of headers are unique within a tool, whatever their case: two arguments cannot travel in one header. HTTP clients
must leave the tool out.

Rename one of them.`,
	},
	Check: func(p *Pass) {
		seen := map[string]string{}
		for _, place := range headerPlaces(p) {
			name, ok := place.Text("x-mcp-header")
			if !ok {
				continue
			}
			if before, twice := seen[strings.ToLower(name)]; twice {
				p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header %s is already that of %s", quoted(name), before)
				continue
			}
			seen[strings.ToLower(name)] = place.Where()
		}
	},
}

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
		Doc: `duplicate x-mcp-header

Header names must be unique within a tool, ignoring case: two arguments cannot share one header. HTTP clients must skip
the tool.

Rename one of them.`,
	},
	Check: func(p *Pass) {
		seen := map[string]string{}
		for _, place := range headerSubschemas(p) {
			name, ok := place.Text("x-mcp-header")
			if !ok {
				continue
			}
			if before, twice := seen[strings.ToLower(name)]; twice {
				p.Report(place.WhereKey("x-mcp-header"), "x-mcp-header %s is already used by %s", quoted(name), before)
				continue
			}
			seen[strings.ToLower(name)] = place.Where()
		}
	},
}

package lint

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec017 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-017",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#custom-headers-from-tool-parameters"),
		Doc: `x-mcp-header on an unsupported type

Only strings, integers and booleans are mirrored into headers. A number has many spellings, and objects and arrays have
none. HTTP clients must skip the tool.

Move the header to a parameter of such a type.`,
	},
	Check: func(p *Pass) {
		for _, place := range headerSubschemas(p) {
			types := place.Types()
			ok := len(types) > 0 && !slices.ContainsFunc(types, func(kind string) bool {
				return kind != "string" && kind != "integer" && kind != "boolean" && kind != "null"
			})
			if !ok {
				p.Report(place.Where(), "x-mcp-header on %s, expected string, integer or boolean", describeTypes(types))
			}
		}
	},
}

func describeTypes(types []string) string {
	if len(types) == 0 {
		return "a parameter without a type"
	}
	return "type " + strings.Join(types, " or ")
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual016 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-016",
		Severity: finding.Warning,
		Doc: `duplicate enum value

Enum values should be unique. Older drafts forbid duplicates, and validators that follow them reject the whole schema.

Remove one of them.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			list, _ := place.Get("enum")
			values, _ := schema.Elements(list)
			seen := map[string]bool{}
			for _, value := range values {
				if seen[string(value)] {
					p.Report(place.WhereKey("enum"), "the enum contains %s twice", brief(string(value)))
				}
				seen[string(value)] = true
			}
		}
	},
}

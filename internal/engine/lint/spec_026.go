package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec026 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-026",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `boolean schema as a parameter

Up to 2025-11-25 the properties of an inputSchema must be objects. true and false are valid in JSON Schema but not
there, and clients that validate reject the list.

Use {} instead of true, or preferably a type.`,
	},
	Check: func(p *Pass) {
		if p.Revision.Tool.AnyInput || p.Tool.Input == nil || p.Tool.Input.Root() == nil {
			return
		}
		for _, place := range p.Tool.Input.Root().Declared() {
			if place.Is(true) || place.Is(false) {
				p.Report(place.Where(), "parameter %s is %s; revision %s requires an object", quoted(place.Name),
					place.Raw, p.Revision.ID)
			}
		}
	},
}

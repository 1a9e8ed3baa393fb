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
		Doc: `A parameter whose schema is true or false.

Up to 2025-11-25 the properties of an inputSchema must be objects. true and false are schemas in JSON Schema but not
there, and clients that check refuse the list.

Write {} for true, or better a type.`,
	},
	Check: func(p *Pass) {
		if p.Revision.Tool.AnyInput || p.Tool.Input == nil || p.Tool.Input.Root() == nil {
			return
		}
		for _, place := range p.Tool.Input.Root().Declared() {
			if place.Is(true) || place.Is(false) {
				p.Report(place.Where(), "parameter %s is %s; revision %s wants an object", quoted(place.Name), place.Raw, p.Revision.ID)
			}
		}
	},
}

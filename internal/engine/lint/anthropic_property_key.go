package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicPropertyKey = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic/property-key",
		Severity: finding.Error,
		Spec:     "https://github.com/anthropics/claude-code/issues/34771",
		Doc: `A parameter name that the API refuses.

Keys of properties must match ^[a-zA-Z0-9_.-]{1,64}$. One other character, and the whole request fails.

Rename the parameter.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if p.root() == nil {
			return
		}
		for _, place := range p.root().Declared() {
			if why := profileOf(p).PropertyKey.Refuses(place.Name); why != "" {
				p.Report(place.Where(), "the parameter name %s fails the whole request: %s", quoted(place.Name), why)
			}
		}
	},
}

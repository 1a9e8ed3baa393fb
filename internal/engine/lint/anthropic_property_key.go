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
		Doc: `invalid property name

The Anthropic API accepts only property keys that match ^[a-zA-Z0-9_.-]{1,64}$. Claude Code passes other keys on unchanged, so
the tool is listed as one that reaches the model, but every request with it fails.

Rename the parameter.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if p.root() == nil {
			return
		}
		for _, place := range p.root().Declared() {
			if why := profileOf(p).PropertyKey.Refuses(place.Name); why != "" {
				p.Report(place.Where(), "parameter name %s makes the whole request fail: %s", quoted(place.Name), why)
			}
		}
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicRootComposition = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic/root-composition",
		Severity: finding.Error,
		Spec:     "https://github.com/anthropics/claude-code/issues/5973",
		Doc: `anyOf, oneOf or allOf at the root

The API responds to anyOf, oneOf or allOf at the root of input_schema with an error 400 that does not name the tool. The
whole session fails, including all other tools.

Move the alternatives into a property, or describe them.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		root := p.root()
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if root != nil && root.Has(keyword) {
				p.Report(root.WhereKey(keyword), "%s at the root makes the whole request fail", keyword)
			}
		}
	},
}

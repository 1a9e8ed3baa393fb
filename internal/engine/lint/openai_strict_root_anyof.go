package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictRootAnyof = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/root-anyof",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `anyOf, oneOf or allOf at the root

In strict mode the root must not have anyOf, oneOf or allOf. The API rejects the request.

Move the alternatives into a property, or split the tool in two.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		root := p.root()
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			if root != nil && root.Has(keyword) {
				p.Report(root.WhereKey(keyword), "%s at the root is rejected", keyword)
			}
		}
	},
}

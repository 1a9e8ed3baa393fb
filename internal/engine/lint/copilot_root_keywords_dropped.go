package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotRootKeywordsDropped = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/root-keywords-dropped",
		Severity: finding.Warning,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `root keyword is removed

anyOf, oneOf, allOf, not, if, then and else at the root are deleted: the model does not see them.

Also describe the constraint in the description.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		root := p.root()
		for _, keyword := range hosts.CopilotRootDropped() {
			if root != nil && root.Has(keyword) {
				p.Report(root.WhereKey(keyword), "%s at the root is deleted", keyword)
			}
		}
	},
}

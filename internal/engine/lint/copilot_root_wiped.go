package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotRootWiped = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/root-wiped",
		Severity: finding.Warning,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `schema is replaced by an empty one

If the root does not have "type": "object", the whole schema is replaced by an empty one: the model sees no parameters
at all.

Add "type": "object".`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		if root := p.root(); root != nil {
			if kind, _ := root.Text("type"); kind != "object" {
				p.Report("/inputSchema", "the root is not of type object: the model sees no parameters")
			}
		}
	},
}

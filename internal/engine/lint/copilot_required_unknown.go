package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotRequiredUnknown = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/required-unknown",
		Severity: finding.Warning,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `undeclared required name is removed

Names in required that are not declared properties are removed from the list, so the model does not see them.

Declare the property.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if !place.Object() || composes(place.Keyword) || place.Conditional() {
				continue
			}
			for _, name := range unknownRequired(place) {
				p.Report(place.WhereKey("required"), "%s is removed from required", quoted(name))
			}
		}
	},
}

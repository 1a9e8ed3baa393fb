package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotArrayItems = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/array-items",
		Severity: finding.Error,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `array without items

VS Code throws while it prepares the request: no tool works until this one is removed.

Declare the items of the array.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if place.ofType("array") && !place.Has("items") {
				p.Report(place.Where(), "%s is an array without items: the whole request fails", place.Label())
			}
		}
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotGpt4Dropped = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/gpt4-dropped",
		Severity: finding.Warning,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `keyword is dropped for gpt-4 models

For models named gpt-4*, VS Code deletes limits, patterns, formats, defaults and similar keywords everywhere in the
schema.

Also describe the constraint in the description.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		reportKeywords(p, hosts.CopilotGPT4Dropped(), "%s is deleted for gpt-4 models")
	},
}

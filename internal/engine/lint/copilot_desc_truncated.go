package lint

import (
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var copilotDescTruncated = &Rule{
	Rule: finding.Rule{
		ID:       "copilot/desc-truncated",
		Severity: finding.Info,
		Spec:     "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts",
		Doc: `description is truncated

For models named gpt-4*, VS Code truncates descriptions after 1,024 characters and replaces an empty one with "No
description provided".

Put the important information first.`,
	},
	Breaks: hosts.Cosmetic,
	Check: func(p *Pass) {
		if n := utf8.RuneCountInString(p.Tool.Description()); n > 1024 {
			p.Report("/description", "the description has %d characters and is truncated after 1024", n)
		} else if n == 0 && p.Tool.Fields != nil {
			p.Report("", `without a description the model reads "No description provided"`)
		}
	},
}

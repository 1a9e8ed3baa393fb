package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicToolName = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic/tool-name",
		Severity: finding.Error,
		Spec:     "https://github.com/anthropics/claude-code/issues/2412",
		Doc: `A tool name that the API refuses.

Names must match ^[a-zA-Z0-9_-]{1,128}$. MCP allows dots, the API does not, and the whole request fails.

Rename the tool. Hosts put more in front, so 64 characters are safer.`,
	},
	Breaks: hosts.Session,
	Check:  reportToolName,
}

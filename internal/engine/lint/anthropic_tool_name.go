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
		Doc: `invalid tool name

Names must match ^[a-zA-Z0-9_-]{1,128}$, or the whole request fails. MCP allows dots, the API does not: a name with dots is a
warning, because hosts such as Claude Code replace them, and clients that pass the name on unchanged fail.

Rename the tool. Hosts add a prefix, so at most 64 characters is safer.`,
	},
	Breaks: hosts.Session,
	Check:  reportToolName,
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var openaiStrictName = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/name",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/function-calling",
		Doc: `invalid function name

Names must have 1 to 64 letters, digits, underscores and hyphens. MCP allows dots and 128 characters, OpenAI does not.

Rename the tool.`,
	},
	Breaks: hosts.Session,
	Check:  reportToolName,
}

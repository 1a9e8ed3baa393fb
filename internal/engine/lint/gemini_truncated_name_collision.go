package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var geminiTruncatedNameCollision = &Rule{
	Rule: finding.Rule{
		ID:       "gemini/truncated-name-collision",
		Severity: finding.Error,
		Spec:     "https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/tools/mcp-tool.ts",
		Doc: `tool names collide after truncation

Gemini CLI replaces characters and removes the middle of long names. These two names become the same, and one of the
tools is lost.

Rename one of them.`,
	},
	Whole:  true,
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		reportCollisions(p, hosts.GeminiName)
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var codexNameSanitisedCollision = &Rule{
	Rule: finding.Rule{
		ID:       "codex/name-sanitised-collision",
		Severity: finding.Info,
		Spec:     "https://github.com/openai/codex/blob/main/codex-rs/codex-mcp/src/tools.rs",
		Doc: `tool names collide after sanitizing

Codex replaces all characters other than letters, digits and underscores with underscores. These two names become the
same, so Codex appends a hash to both, and the model sees names such as get_user_5f1d7a84db1c.

Rename one of them.`,
	},
	Whole:  true,
	Breaks: hosts.Cosmetic,
	Check: func(p *Pass) {
		reportCollisions(p, hosts.CodexName)
	},
}

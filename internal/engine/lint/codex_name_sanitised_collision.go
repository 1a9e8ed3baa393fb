package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var codexNameSanitisedCollision = &Rule{
	Rule: finding.Rule{
		ID:       "codex/name-sanitised-collision",
		Severity: finding.Error,
		Spec:     "https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs",
		Doc: `tool names collide after sanitizing

Codex replaces all characters other than letters, digits and underscores with underscores. These two names become the
same, and one of the tools is lost.

Rename one of them.`,
	},
	Whole:  true,
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		reportCollisions(p, hosts.CodexName)
	},
}

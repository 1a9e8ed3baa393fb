package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var codexOver5000Bytes = &Rule{
	Rule: finding.Rule{
		ID:       "codex/over-5000-bytes",
		Severity: finding.Warning,
		Spec:     "https://github.com/openai/codex/blob/main/codex-rs/tools/src/json_schema.rs",
		Doc: `schema is truncated above 5,000 bytes

If the compact schema has more than 5,000 bytes, Codex removes all descriptions, then definitions, then deep objects,
then alternatives, until the schema is small enough.

Shorten the schema, or split the tool.`,
	},
	Breaks: hosts.Constraint,
	Check: func(p *Pass) {
		if p.root() == nil || len(p.Tool.Input.Raw) <= hosts.CodexBudget {
			return
		}
		if n := hosts.CodexSize(p.Tool.Input.Raw); n > hosts.CodexBudget {
			p.Report("/inputSchema", "the schema has %d bytes for Codex and is truncated to %d", n, hosts.CodexBudget)
		}
	},
}

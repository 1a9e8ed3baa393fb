package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var hostsToolLost = &Rule{
	Rule: finding.Rule{
		ID:       "hosts/tool-lost",
		Severity: finding.Warning,
		Doc: `tool that a host drops

The host does not pass the tool to the model and reports nothing. Claude Code drops tools with anyOf, oneOf or allOf at
the root of inputSchema, Qwen Code tools without a description, and Codex tools with a list as items.

Move the alternatives into a property, write a description, or use prefixItems.`,
	},
	Check: func(p *Pass) { reportLost(p, false) },
}

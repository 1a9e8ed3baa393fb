package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var anthropicStrictToolBudget = &Rule{
	Rule: finding.Rule{
		ID:       "anthropic-strict/tool-budget",
		Severity: finding.Error,
		Spec:     "https://docs.claude.com/en/docs/build-with-claude/structured-outputs",
		Doc: `too many strict tools

A request may have at most 20 strict tools. The API rejects requests with more.

Offer fewer tools as strict.`,
	},
	Whole:  true,
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if most := profileOf(p).MaxTools; len(p.Tools) > most {
			p.ReportTool(nil, "", nil, "%d tools, expected at most %d strict tools", len(p.Tools), most)
		}
	},
}

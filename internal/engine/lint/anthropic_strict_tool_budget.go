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
		Doc: `More strict tools than a request may have.

A request may have 20 strict tools. Beyond that it is refused.

Offer fewer tools as strict.`,
	},
	Whole:  true,
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		if most := profileOf(p).MaxTools; len(p.Tools) > most {
			p.ReportTool(nil, "", nil, "%d tools; want at most %d strict ones", len(p.Tools), most)
		}
	},
}

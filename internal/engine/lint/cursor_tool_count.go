package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var cursorToolCount = &Rule{
	Rule: finding.Rule{
		ID:       "cursor/tool-count",
		Severity: finding.Warning,
		Doc: `too many tools; the rest is dropped

Users reported in 2025 that Cursor offers at most 40 tools across all servers, and that the model does not see the
others. No run and no published source confirms the number.

Let users choose among groups of tools.`,
	},
	Whole:    true,
	Breaks:   hosts.LosesTool,
	Unproven: true,
	Check: func(p *Pass) {
		if most := profileOf(p).MaxTools; len(p.Tools) > most {
			p.ReportTool(nil, "", nil, "%d tools; Cursor offers at most %d across all servers", len(p.Tools), most)
		}
	},
}

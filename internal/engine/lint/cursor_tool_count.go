package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var cursorToolCount = &Rule{
	Rule: finding.Rule{
		ID:       "cursor/tool-count",
		Severity: finding.Error,
		Spec:     "https://github.com/ComposioHQ/composio/issues/2788",
		Doc: `More tools than Cursor offers.

Cursor offered 40 tools of all servers together in 2025; the model does not see the others.

Let users choose among groups of tools.`,
	},
	Whole:  true,
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		if most := profileOf(p).MaxTools; len(p.Tools) > most {
			p.ReportTool(nil, "", nil, "%d tools; Cursor offers %d of all servers together", len(p.Tools), most)
		}
	},
}

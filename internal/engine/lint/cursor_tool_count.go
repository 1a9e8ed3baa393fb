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
		Doc: `too many tools; the rest is dropped

In 2025, Cursor offered at most 40 tools across all servers. The model does not see the others.

Let users choose among groups of tools.`,
	},
	Whole:  true,
	Breaks: hosts.LosesTool,
	Check: func(p *Pass) {
		if most := profileOf(p).MaxTools; len(p.Tools) > most {
			p.ReportTool(nil, "", nil, "%d tools; Cursor offers at most %d across all servers", len(p.Tools), most)
		}
	},
}

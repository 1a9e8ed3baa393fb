package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec005 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `Two tools with one name.

Names should be unique within a server. A call names one tool, so of two with one name the second can never be called,
and some hosts refuse the whole list.

Rename one of them.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		first := map[[2]string]*Tool{}
		for _, t := range p.Tools {
			key := [2]string{t.Server, t.Name}
			if before, ok := first[key]; ok && t.Name != "" {
				p.ReportTool(t, "/name", nil, "the name is already that of tools[%d]", before.Index)
			} else if !ok {
				first[key] = t
			}
		}
	},
}

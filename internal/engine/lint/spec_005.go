package lint

import (
	"bytes"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec005 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `duplicate tool name

Names should be unique within a server. A call identifies one tool by name, so the second of two tools with the same
name can never be called, and some hosts reject the whole list.

Rename one of them. If a page of tools/list repeats tools of an earlier one, let it start after the last tool of the page before.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		first := map[[2]string]*Tool{}
		for _, t := range p.Tools {
			key := [2]string{t.Server, t.Name}
			if before, ok := first[key]; ok && t.Name != "" && before.Page != t.Page && bytes.Equal(before.Raw, t.Raw) {
				p.ReportTool(t, "/name", nil, "page %d of tools/list repeats the tool of page %d", t.Page, before.Page)
			} else if ok && t.Name != "" {
				p.ReportTool(t, "/name", nil, "duplicate name, already used by tools[%d]", before.Index)
			} else if !ok {
				first[key] = t
			}
		}
	},
}

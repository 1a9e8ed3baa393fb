package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec024 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-024",
		Severity: finding.Info,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `field not defined in this revision

Clients of this revision ignore the field, so it has no effect: annotations before 2025-03-26, title, _meta and
outputSchema before 2025-06-18, icons before 2025-11-25, execution in any revision but 2025-11-25.

This is harmless if a server supports several revisions.`,
	},
	Check: func(p *Pass) {
		shape := p.Revision.Tool
		for _, f := range []struct {
			name  string
			known bool
		}{
			{"annotations", shape.Annotations}, {"title", shape.Title}, {"_meta", shape.Title},
			{"outputSchema", shape.OutputSchema != spec.NoOutput}, {"icons", shape.Icons},
			{"execution", shape.Execution},
		} {
			if _, ok := p.Tool.Get(f.name); ok && !f.known {
				p.Report("/"+f.name, "revision %s does not define %s in a tool", p.Revision.ID, f.name)
			}
		}
	},
}

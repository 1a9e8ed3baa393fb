package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec010 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-010",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `tool name used by two servers

A host that offers both to a model has to rename one, and a model may call the wrong one. A server that uses the name of
another server's tool can intercept its calls.

Rename one, or let the host prefix the server name.`,
	},
	Whole: true,
	Check: func(p *Pass) {
		first := map[string]*Tool{}
		for _, t := range p.Tools {
			if before, ok := first[t.Name]; !ok {
				first[t.Name] = t
			} else if before.Server != t.Server && t.Name != "" {
				p.ReportTool(t, "/name", nil, "server %s has a tool with the same name", quoted(before.Server))
			}
		}
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec022 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-022",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `missing tool description

A model chooses a tool by its description. The field is optional in the protocol and recommended for every server;
without it a model has only the name.

Describe what the tool does, when to use it, and what it returns.`,
	},
	Check: func(p *Pass) {
		if _, ok := p.Tool.Get("description"); !ok && p.Tool.Fields != nil {
			p.Report("", "the tool has no description")
		}
	},
}

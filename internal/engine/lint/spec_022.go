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
		Doc: `A tool without a description.

The description is all that a model has to go by when it chooses a tool. The field is optional in the protocol and
recommended to every server; without it a model judges by the name alone.

Say what the tool does, when to use it, and what it returns.`,
	},
	Check: func(p *Pass) {
		if _, ok := p.Tool.Get("description"); !ok && p.Tool.Fields != nil {
			p.Report("", "the tool has no description")
		}
	},
}

package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec001 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `A definition that readers read differently.

A tool is a JSON object, and each of its keys stands once. Of two equal keys some readers take the first, some the last,
and some refuse the whole list, so one client sees another tool than the next.

Send each key once, and an object for each tool. In a file mcptest refuses duplicate keys at once and says where; this
rule is for what a server sends.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Odd != "" {
			p.Report("", "%s", p.Tool.Odd)
		}
	},
}

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
		Doc: `ambiguous tool definition (duplicate key or not an object)

A tool is a JSON object with unique keys. Of duplicate keys some parsers use the first, some the last, and some reject
the whole list, so clients see different tools.

Send each key once, and an object for each tool. In a file, mcptest rejects duplicate keys with their location; this
rule checks what a server sends.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Odd != "" {
			p.Report("", "%s", p.Tool.Odd)
		}
	},
}

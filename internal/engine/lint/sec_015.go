package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var sec015 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-015",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `incorrect readOnlyHint

The tool has readOnlyHint: true, but the first sentence of its description says that it deletes, sends, pays or publishes.
Hosts call read-only tools without user confirmation, and test tools call them many times. A name alone is not reported here,
but by SEC-016.

Remove the hint, or correct the description.`,
	},
	Check: func(p *Pass) {
		if lie := safety.Contradiction(p.Tool.Raw); lie != "" {
			p.Report("/annotations/readOnlyHint", "readOnlyHint is true, but %s", lie)
		}
	},
}

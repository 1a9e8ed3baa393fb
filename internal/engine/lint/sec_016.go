package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var sec016 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-016",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `doubtful readOnlyHint

The tool has readOnlyHint: true, but its name or the first word of its description indicates that it writes, such as
delete, replace, update or save. Hosts call read-only tools without user confirmation. mcptest calls this tool only if it is
named, as with check --tools NAME. A description that starts with what the tool returns, or says that nothing is changed, is
not reported.

Remove the hint, or, if the tool only returns something, name and describe what it returns.`,
	},
	Check: func(p *Pass) {
		if doubt := safety.Doubt(p.Tool.Raw); doubt != "" {
			p.Report("/annotations/readOnlyHint", "readOnlyHint is true, but %s", doubt)
		}
	},
}

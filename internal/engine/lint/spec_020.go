package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec020 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-020",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `contradictory annotations

A tool with readOnlyHint: true changes nothing, so destructiveHint: true has no meaning. Some hosts skip user
confirmation because of the first hint, others require it because of the second.

Keep only the correct one.`,
	},
	Check: func(p *Pass) {
		annotations, _ := p.Tool.Get("annotations")
		if schema.Kind(get(annotations, "/readOnlyHint")) == 't' &&
			schema.Kind(get(annotations, "/destructiveHint")) == 't' {
			p.Report("/annotations", "readOnlyHint and destructiveHint are both true")
		}
	},
}

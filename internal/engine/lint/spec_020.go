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
		Doc: `Annotations that contradict each other.

A tool that says readOnlyHint: true changes nothing, so destructiveHint: true beside it has no meaning. Some hosts skip
the question to the user for one of them, and some ask for the other.

Say which one is true.`,
	},
	Check: func(p *Pass) {
		annotations, _ := p.Tool.Get("annotations")
		if schema.Kind(get(annotations, "/readOnlyHint")) == 't' && schema.Kind(get(annotations, "/destructiveHint")) == 't' {
			p.Report("/annotations", "readOnlyHint and destructiveHint are both true")
		}
	},
}

package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec028 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-028",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `null annotation

A hint is true or false and a title is a string; null is neither, and clients that validate against the published schema
reject the list. The rule is a warning, because many tools that capture a list write null for fields that the server
omitted.

Omit the annotation. If the server itself sends null, configure its serializer to omit empty fields.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("annotations")
		if !ok || !p.Revision.Tool.Annotations {
			return
		}
		members, _ := schema.Members(value)
		known := []string{"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
		for _, m := range members {
			if schema.Kind(m.Value) == 'n' && slices.Contains(known, m.Name) {
				p.Report("/annotations/"+m.Name, "%s is null, expected it to be omitted", m.Name)
			}
		}
	},
}

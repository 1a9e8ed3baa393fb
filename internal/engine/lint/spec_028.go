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
		Doc: `An annotation that is null.

A hint is true or false and a title is text; null is neither, and clients that check by the published schema refuse the
list. It is a warning, because many tools that capture a list write null for what the server left out.

Leave the annotation out. If the server itself sends null, set its serialiser to omit empty fields.`,
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
				p.Report("/annotations/"+m.Name, "%s is null; want it left out", m.Name)
			}
		}
	},
}

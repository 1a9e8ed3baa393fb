package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec019 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-019",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `annotation of the wrong type

annotations is an object, its hints are booleans, its title is a string. Clients that validate against the published
schema reject the whole list.

Send true or false, or omit the hint. SPEC-028 reports null values.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("annotations")
		if !ok || !p.Revision.Tool.Annotations {
			return
		}
		members, err := schema.Members(value)
		if err != nil {
			p.Report("/annotations", "annotations is %s, expected an object", kindName(value))
			return
		}
		for _, m := range members {
			kind := schema.Kind(m.Value)
			if kind == 'n' {
				continue
			}
			switch m.Name {
			case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
				if kind != 't' && kind != 'f' {
					p.Report("/annotations/"+m.Name, "%s is %s, expected true or false", m.Name, kindName(m.Value))
				}
			case "title":
				if kind != '"' {
					p.Report("/annotations/title", "title is %s, expected a string", kindName(m.Value))
				}
			}
		}
	},
}

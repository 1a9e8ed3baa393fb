package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec023 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-023",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `A field of the wrong type.

title and description are strings, _meta is an object. Clients that check by the published schema refuse the whole list
for one null.

Send the right type, or leave the field out.`,
	},
	Check: func(p *Pass) {
		for _, want := range []struct {
			field string
			kind  byte
			name  string
		}{{"title", '"', "a string"}, {"description", '"', "a string"}, {"_meta", '{', "an object"}} {
			if value, ok := p.Tool.Get(want.field); ok && schema.Kind(value) != want.kind {
				p.Report("/"+want.field, "%s is %s; want %s", want.field, kindName(value), want.name)
			}
		}
	},
}

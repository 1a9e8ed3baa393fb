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
		Doc: `field of the wrong type

title and description are strings, _meta is an object. Clients that validate against the published schema reject the
whole list because of a single null.

Send the right type, or omit the field.`,
	},
	Check: func(p *Pass) {
		for _, want := range []struct {
			field string
			kind  byte
			name  string
		}{{"title", '"', "a string"}, {"description", '"', "a string"}, {"_meta", '{', "an object"}} {
			if value, ok := p.Tool.Get(want.field); ok && schema.Kind(value) != want.kind {
				p.Report("/"+want.field, "%s is %s, expected %s", want.field, kindName(value), want.name)
			}
		}
	},
}

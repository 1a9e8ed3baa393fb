package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual006 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-006",
		Severity: finding.Info,
		Doc: `enum with a single value

A parameter with only one possible value carries no information, and the model spends tokens on it. In a branch it marks
the variant; use const for that.

Remove the parameter, or use const.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			value, _ := place.Get("enum")
			elements, err := schema.Elements(value)
			if err != nil || len(elements) != 1 || !place.Property() || composes(place.Up.Keyword) {
				continue
			}
			p.Report(place.WhereKey("enum"), "%s has one allowed value: %s", place.Label(), brief(string(elements[0])))
		}
	},
}

package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var sch002 = &Rule{
	Rule: finding.Rule{
		ID:       "SCH-002",
		Severity: finding.Warning,
		Doc: `object accepts undeclared properties

If additionalProperties is not false, a misspelled argument passes validation and is then ignored: the call seems to
work but does something else.

Set "additionalProperties": false. "schema-lint --fix" does so wherever it is safe, and lists where it is not: a map,
whose additionalProperties is a schema, an object without declared properties, and branches that share an object.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if !describes(place) || !open(place) {
				continue
			}
			fix := finding.Fix{Message: "close the object", Edits: p.Tool.plan.closeEdits(place)}
			p.ReportFix(place.Where(), fix, "%s accepts undeclared fields: additionalProperties is %s", place.Label(),
				openness(place))
		}
	},
}

func openness(place *Subschema) string {
	value, ok := place.Get("additionalProperties")
	if !ok {
		return "not set"
	}
	if place.Has("additionalProperties") && len(value) > 0 && value[0] == '{' {
		return "a schema"
	}
	return brief(string(value))
}

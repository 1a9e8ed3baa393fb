package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var sch001 = &Rule{
	Rule: finding.Rule{
		ID:       "SCH-001",
		Severity: finding.Warning,
		Doc: `object without a required list

Without "required" every argument is optional, so the server cannot rely on any of them. A model that forgets one gets
no error before the call, and the server fails at run time.

List the properties that a call must have. "schema-lint --fix" lists all of them; "--fix-mode closed" leaves the choice
to you. The rule does not report an empty list: the author declared that all properties are optional.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if len(place.Declared()) == 0 || place.Has("required") || !describes(place) {
				continue
			}
			fix := finding.Fix{Message: "require every declared property",
				Edits: p.Tool.plan.requireEdits(place, spaced(p.Tool.Raw))}
			p.ReportFix(place.Where(), fix, "%s declares %s and requires none", place.Label(),
				count(len(place.Declared()), "property", "properties"))
		}
	},
}

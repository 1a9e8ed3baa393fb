package lint

import (
	"regexp/syntax"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual009 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-009",
		Severity: finding.Info,
		Doc: `A pattern that not every validator can run.

Lookahead, lookbehind and back references are not regular: engines that run in linear time (RE2, Rust, Go) refuse them,
and engines that take them can be made to run for minutes.

Say it without them, or in the description.`,
	},
	Check: func(p *Pass) {
		for _, place := range patternPlaces(p) {
			pattern, _ := place.Text("pattern")
			if patternError(pattern) != nil {
				continue
			}
			if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
				p.Report(place.WhereKey("pattern"), "the pattern %s needs a backtracking engine: %v", quoted(pattern), err)
			}
		}
	},
}

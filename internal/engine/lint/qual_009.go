package lint

import (
	"regexp/syntax"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual009 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-009",
		Severity: finding.Info,
		Doc: `pattern needs a backtracking engine

Lookahead, lookbehind and backreferences are not regular: engines that run in linear time (RE2, Rust, Go) reject them,
and engines that support them can be made to run for minutes.

Rewrite the pattern without them, or describe the constraint in the description.`,
	},
	Check: func(p *Pass) {
		for _, place := range patternSubschemas(p) {
			pattern, _ := place.Text("pattern")
			if patternError(pattern) != nil {
				continue
			}
			if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
				p.Report(place.WhereKey("pattern"), "pattern %s needs a backtracking engine: %v", quoted(pattern), err)
			}
		}
	},
}

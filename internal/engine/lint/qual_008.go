package lint

import (
	"regexp"

	"github.com/dlclark/regexp2"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual008 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-008",
		Severity: finding.Warning,
		Doc: `A pattern that cannot be compiled.

Validators refuse the whole schema, or skip the pattern so that nothing is checked.

Write a regular expression of ECMA-262. In JSON every backslash is written twice.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Places() {
			pattern, ok := place.Text("pattern")
			if !ok {
				continue
			}
			if err := patternError(pattern); err != nil {
				p.Report(place.WhereKey("pattern"), "the pattern %s cannot be compiled: %v", quoted(pattern), err)
			}
		}
	},
}

// patternError says why neither a linear engine nor one for ECMA-262 can compile the pattern.
func patternError(pattern string) error {
	if _, err := regexp.Compile(pattern); err == nil || len(pattern) > 4096 {
		return nil
	}
	_, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode)
	return err
}

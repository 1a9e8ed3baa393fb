package lint

import (
	"regexp/syntax"

	"github.com/dlclark/regexp2"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual008 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-008",
		Severity: finding.Warning,
		Doc: `invalid regular expression in pattern

Validators reject the whole schema, or skip the pattern so that nothing is checked. JSON Schema uses the regular expressions of
ECMA-262 (JavaScript), so a pattern for another engine is also invalid: (?i) and other flags for the whole pattern, (?P<name>…),
\A, \Z, \h, possessive quantifiers such as a++, and [[:alpha:]].

Write a valid ECMA-262 regular expression: [Aa] or (?i:a) in place of (?i), ^ and $ in place of \A and \Z. In JSON every
backslash is written twice.`,
	},
	Check: func(p *Pass) {
		for _, place := range patternSubschemas(p) {
			pattern, _ := place.Text("pattern")
			if err := ecmaError(pattern); err != nil {
				p.Report(place.WhereKey("pattern"), "pattern %s: %v", quoted(pattern), err)
			} else if err := patternError(pattern); err != nil {
				p.Report(place.WhereKey("pattern"), "pattern %s cannot be compiled: %v", quoted(pattern), err)
			}
		}
	},
}

// Limits on the length of patterns in characters, for one pattern and for all of a tool together: engines take far more
// memory than that.
const (
	maxPattern    = 4096
	patternBudget = 50_000
)

// patternSubschemas lists the places with a pattern that is small enough to be checked. SPEC-027 reports the others as
// too large.
func patternSubschemas(p *Pass) []*Subschema {
	var found []*Subschema
	left := patternBudget
	for _, place := range p.Subschemas() {
		pattern, ok := place.Text("pattern")
		if !ok || len(pattern) > maxPattern {
			continue
		}
		if left -= len(pattern); left < 0 {
			break
		}
		found = append(found, place)
	}
	return found
}

// patternError returns why the pattern is none of ECMA-262, or why neither a linear engine nor one for ECMA-262 can compile it.
func patternError(pattern string) error {
	if err := ecmaError(pattern); err != nil {
		return err
	}
	if _, err := syntax.Parse(pattern, syntax.Perl); err == nil {
		return nil
	}
	_, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode)
	return err
}

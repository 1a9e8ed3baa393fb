package lint

import (
	"math/big"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var qual010 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-010",
		Severity: finding.Warning,
		Doc: `contradictory limits

The lower limit is above the upper one, so every value is rejected and the tool cannot be called with this parameter.

Fix the limits.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			for _, pair := range [][2]string{
				{"minimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"}, {"minimum", "exclusiveMaximum"},
				{"exclusiveMinimum", "maximum"},
				{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"},
			} {
				if low, high, ok := contradiction(place, pair); ok {
					p.Report(place.Where(), "%s: %s %s is above %s %s", place.Label(), pair[0], low, pair[1], high)
				}
			}
		}
	},
}

// contradiction compares two limits exactly, however large or small their numbers are.
func contradiction(place *Subschema, pair [2]string) (low, high string, above bool) {
	lower, hasLower := place.Get(pair[0])
	upper, hasUpper := place.Get(pair[1])
	if !hasLower || !hasUpper || len(lower) > 40 || len(upper) > 40 {
		return "", "", false
	}
	from, okFrom := new(big.Float).SetString(string(lower))
	to, okTo := new(big.Float).SetString(string(upper))
	return string(lower), string(upper), okFrom && okTo && from.Cmp(to) > 0
}

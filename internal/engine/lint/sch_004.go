package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var sch004 = &Rule{
	Rule: finding.Rule{
		ID:       "SCH-004",
		Severity: finding.Warning,
		Doc: `unbounded string or array

A string property without maxLength, or an array property without maxItems, lets a caller send any amount of data: the
server has to parse, store and perhaps forward all of it.

Set maxLength or maxItems to the limit of the server. Strings with enum or const are already bounded, and so are those
with a pattern that matches only strings of limited length or with a format of limited length, such as date, time,
date-time, uuid or ipv4. There is no automatic fix: only the author knows the limit.`,
	},
	Check: func(p *Pass) {
		strings, arrays := verdicts{}, verdicts{}
		for _, place := range p.Subschemas() {
			if !place.Property() || place.Conditional() || !place.Referenced() {
				continue
			}
			if unbounded(place, "string", "maxLength", strings) && !boundedBeside(place, "maxLength") {
				p.Report(place.Where(), "string property %s has no maxLength", quoted(place.Name))
			}
			if unbounded(place, "array", "maxItems", arrays) && !boundedBeside(place, "maxItems") {
				p.Report(place.Where(), "array property %s has no maxItems", quoted(place.Name))
			}
		}
	},
}

// unbounded reports whether the schema allows a value of the type without a limit, in itself, in the target of its
// reference, or in a branch.
func unbounded(p *Subschema, kind, limit string, known verdicts) bool {
	if verdict, ok := known[p]; ok {
		return verdict
	}
	known[p] = false
	known[p] = lacksLimit(p, kind, limit, known)
	return known[p]
}

func lacksLimit(p *Subschema, kind, limit string, known verdicts) bool {
	if limits(p, limit) {
		return false
	}
	branches := slices.Concat(p.Under("anyOf"), p.Under("oneOf"))
	together := p.Under("allOf")
	if target := p.Ref(); target != nil {
		together = append(together, target)
	}
	limited := func(q *Subschema) bool { return limits(q, limit) }
	if slices.ContainsFunc(together, limited) || len(branches) > 0 && all(branches, limited) {
		return false
	}
	if slices.Contains(p.Types(), kind) {
		return len(branches) == 0 || slices.ContainsFunc(branches, func(q *Subschema) bool { return !limited(q) })
	}
	return slices.ContainsFunc(slices.Concat(branches, together), func(q *Subschema) bool {
		return unbounded(q, kind, limit, known)
	})
}

// boundedBeside reports whether the property is in a branch and the object that the branch belongs to limits it.
func boundedBeside(property *Subschema, limit string) bool {
	for at := property.Up; at != nil && at.Up != nil && composes(at.Keyword); at = at.Up {
		for _, q := range at.Up.Declared() {
			if q.Name == property.Name && limits(q, limit) {
				return true
			}
		}
	}
	return false
}

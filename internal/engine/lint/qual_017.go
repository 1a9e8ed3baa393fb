package lint

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var qual017 = &Rule{
	Rule: finding.Rule{
		ID:       "QUAL-017",
		Severity: finding.Error,
		Doc: `schema that no value satisfies

The keywords of the schema contradict each other: the values of an enum are not of the declared type, the branches of
allOf have no common type, or one branch forbids a property that another one requires. Every call with this parameter is
rejected, and a model that tries again fails again.

Use one type for the values and the declaration, such as integer with [1, 2] or string with ["1", "2"]. Remove
additionalProperties from the branches of allOf.`,
	},
	Check: func(p *Pass) {
		for _, place := range p.Subschemas() {
			if !place.Referenced() || inside(place, "not", "if") {
				continue
			}
			if !p.checkEnum(place) {
				p.checkConst(place)
			}
			p.checkTypes(place)
			p.checkForbidden(place)
		}
	},
}

// reportDead reports a schema that allows no value: as a warning if another branch may still allow one.
func (p *Pass) reportDead(place *Subschema, pointer, format string, args ...any) {
	if inside(place, "anyOf", "oneOf", "then", "else") {
		p.Warn(pointer, format, args...)
		return
	}
	p.Report(pointer, format, args...)
}

// inside reports whether a place is part of one of the keywords.
func inside(place *Subschema, keywords ...string) bool {
	for ; place != nil; place = place.Up {
		if slices.Contains(keywords, place.Keyword) {
			return true
		}
	}
	return false
}

// maxEnumTried is how many values of an enum are validated.
const maxEnumTried = 100

// checkEnum reports an enum none of whose values is allowed, and as a warning the values that are not of the declared
// type.
func (p *Pass) checkEnum(place *Subschema) (has bool) {
	list, has := place.Get("enum")
	values, err := schema.Elements(list)
	if !has || err != nil {
		return has
	}
	if len(values) == 0 {
		p.reportDead(place, place.WhereKey("enum"), "%s: the enum is empty, so no value is allowed", place.Label())
		return true
	}
	refused := 0
	for _, value := range values[:min(len(values), maxEnumTried)] {
		if isNullable(place, value) || plainlyValid(place, value) || refuses(place, value) == "" {
			break
		}
		refused++
	}
	if refused == len(values) {
		p.reportDead(place, place.WhereKey("enum"), "%s: no value of the enum is allowed by the rest of the schema: %s",
			place.Label(), refuses(place, values[0]))
		return true
	}
	for _, value := range values {
		if place.Has("type") && !isNullable(place, value) && !hasType(place.Types(), value) {
			p.Warn(place.WhereKey("enum"), "%s: enum value %s is not of the declared type and is never allowed",
				place.Label(), brief(string(value)))
			return true
		}
	}
	return true
}

// isNullable reports whether a value is null and the schema allows null in the way of OpenAPI.
func isNullable(place *Subschema, value json.RawMessage) bool {
	nullable, _ := place.Get("nullable")
	return schema.Kind(value) == 'n' && string(nullable) == "true"
}

// hasType reports whether a value may be of one of the types. A number such as 1.0 may be an integer.
func hasType(types []string, value json.RawMessage) bool {
	return slices.ContainsFunc(types, func(name string) bool {
		return isKind(name, value) || name == "integer" && isKind("number", value)
	})
}

// checkConst reports a constant that the rest of its schema does not allow.
func (p *Pass) checkConst(place *Subschema) {
	value, ok := place.Get("const")
	if !ok || isNullable(place, value) || plainlyValid(place, value) {
		return
	}
	if message := refuses(place, value); message != "" {
		p.reportDead(place, place.WhereKey("const"), "%s: the constant is not allowed by the rest of the schema: %s", place.Label(),
			message)
	}
}

// checkTypes reports a schema whose type and branches have no type in common.
func (p *Pass) checkTypes(place *Subschema) {
	common := typesOf(place)
	for _, branch := range place.Under("allOf") {
		common = commonTypes(common, typesOf(branch))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := place.Under(keyword); len(branches) > 0 {
			common = commonTypes(common, unionOf(branches))
		}
	}
	if common != nil && len(common) == 0 {
		p.reportDead(place, place.Where(), "%s: its type and its branches have no type in common, so no value is allowed",
			place.Label())
	}
}

// typesOf returns the types that a schema allows, also by its reference; nil for every type.
func typesOf(place *Subschema) []string {
	if place.Ref() != nil && !place.Has("type") {
		place = place.Ref()
	}
	if !place.Has("type") {
		return nil
	}
	return place.Types()
}

// unionOf returns the types that at least one branch allows; nil for every type.
func unionOf(branches []*Subschema) []string {
	var all []string
	for _, b := range branches {
		types := typesOf(b)
		if types == nil {
			return nil
		}
		all = append(all, types...)
	}
	return all
}

// commonTypes returns the types in both lists; nil stands for every type, and an integer is a number.
func commonTypes(a, b []string) []string {
	if a == nil || b == nil {
		return append(a, b...)
	}
	both := []string{}
	for _, name := range a {
		switch {
		case slices.Contains(b, name), name == "integer" && slices.Contains(b, "number"):
			both = append(both, name)
		case name == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// checkForbidden reports a required property that a schema, or a branch of its allOf, does not allow.
func (p *Pass) checkForbidden(place *Subschema) {
	for _, property := range place.Declared() {
		if property.Is(false) && place.Requires(property.Name) {
			p.reportDead(place, property.Where(), "%s is required, and its schema allows no value", property.Label())
		}
	}
	parts := []*Subschema{place}
	for _, branch := range place.Under("allOf") {
		if branch.Ref() != nil {
			branch = branch.Ref()
		}
		parts = append(parts, branch)
	}
	for _, closed := range parts {
		extra, _ := closed.Get("additionalProperties")
		if schema.Kind(extra) != 'f' || closed.Has("patternProperties") || len(parts) == 1 {
			continue
		}
		for _, other := range parts {
			for _, name := range other.Strings("required") {
				if other != closed && !closed.Declares(name) {
					p.reportDead(place, place.WhereKey("allOf"), "%s: property %s is required by one part and forbidden by "+
						"additionalProperties of another, so no object is allowed", place.Label(), quoted(name))
					return
				}
			}
		}
	}
}

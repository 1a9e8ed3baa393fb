package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// A Violation is a location where a value violates the shape that a revision defines.
type Violation struct {
	Pointer string // JSON Pointer into the value
	Message string // what was found and what was expected
}

// String returns the violation in one line.
func (v Violation) String() string { return v.Pointer + ": " + v.Message }

// maxViolations is the maximum number of reported violations per value.
const maxViolations = 20

// A validation is a validation in progress.
type validation struct {
	shapes map[string]*shape
	found  []Violation
}

// validateAs validates a value against a type. An unknown revision has no shapes and validates nothing.
func (r Revision) validateAs(t *typ, value json.RawMessage) []Violation {
	j := &validation{shapes: shapes()[r.ID]}
	if j.shapes == nil {
		return nil
	}
	j.validate(t, value, "")
	return j.found
}

func (j *validation) report(pointer, format string, args ...any) {
	if len(j.found) < maxViolations {
		j.found = append(j.found, Violation{pointer, fmt.Sprintf(format, args...)})
	}
}

func (j *validation) validate(t *typ, value json.RawMessage, pointer string) {
	value = bytes.TrimSpace(value)
	switch {
	case t.basic != "":
		j.basic(t, value, pointer)
	case t.literal != "":
		if !sameText(value, t.literal) {
			j.report(pointer, "found %s, expected %s", show(value), t.literal)
		}
	case t.array != nil:
		j.array(t, value, pointer)
	case t.values != nil:
		members, ok := j.members(value, pointer)
		for _, key := range sortedKeys(members, ok) {
			j.validate(t.values, members[key], pointer+"/"+escape(key))
		}
	case t.either != nil:
		j.either(t, value, pointer)
	default:
		j.object(t.shape, value, pointer)
	}
}

func (j *validation) basic(t *typ, value json.RawMessage, pointer string) {
	kind := kindOf(value)
	right := kind == t.basic || t.basic == "any" || kind == "number" && t.basic == "integer" && isWhole(value) ||
		kind == "string" && (t.basic == "uri" && isURI(value) || t.basic == "template" && isTemplate(value))
	if !right {
		j.report(pointer, "found %s, expected %s", show(value), withArticle(t.basic))
		return
	}
	if kind != "number" || t.least == nil && t.most == nil {
		return
	}
	n, _, err := big.ParseFloat(string(value), 10, 256, big.ToNearestEven)
	if err == nil && (t.least != nil && n.Cmp(big.NewFloat(*t.least)) < 0 ||
		t.most != nil && n.Cmp(big.NewFloat(*t.most)) > 0) {
		j.report(pointer, "found %s, expected %s", show(value), rangeText(t))
	}
}

func (j *validation) array(t *typ, value json.RawMessage, pointer string) {
	var items []json.RawMessage
	if kindOf(value) != "array" || json.Unmarshal(value, &items) != nil {
		j.report(pointer, "found %s, expected an array", show(value))
		return
	}
	if t.most != nil && float64(len(items)) > *t.most {
		j.report(pointer, "found %d items, expected at most %.0f", len(items), *t.most)
	}
	for i, item := range items {
		j.validate(t.array, item, fmt.Sprintf("%s/%d", pointer, i))
	}
}

// object validates a value against a named shape.
func (j *validation) object(name string, value json.RawMessage, pointer string) {
	s := j.shapes[name]
	if s == nil {
		panic("spec: no shape " + name)
	}
	if s.alias != nil {
		j.validate(s.alias, value, pointer)
		return
	}
	members, ok := j.members(value, pointer)
	if !ok {
		return
	}
	for _, f := range s.fields {
		member, present := members[f.name]
		switch at := pointer + "/" + escape(f.name); {
		case present:
			j.validate(f.typ, member, at)
		case !f.optional:
			j.report(at, "found nothing, expected %s", j.expected(f.typ))
		}
	}
}

// members reads an object.
func (j *validation) members(value json.RawMessage, pointer string) (map[string]json.RawMessage, bool) {
	var members map[string]json.RawMessage
	if kindOf(value) != "object" || json.Unmarshal(value, &members) != nil {
		j.report(pointer, "found %s, expected an object", show(value))
		return nil, false
	}
	return members, true
}

// either accepts what one of the alternatives accepts. Otherwise it reports the violations of the best match:
// the one whose literals the value has.
func (j *validation) either(t *typ, value json.RawMessage, pointer string) {
	var nearest []Violation
	for _, alternative := range j.flat(t.either) {
		trial := &validation{shapes: j.shapes}
		trial.validate(alternative, value, pointer)
		if len(trial.found) == 0 {
			return
		}
		if j.marked(alternative, value) && (nearest == nil || len(trial.found) < len(nearest)) {
			nearest = trial.found
		}
	}
	if nearest != nil {
		j.found = append(j.found, nearest[:min(len(nearest), maxViolations-min(len(j.found), maxViolations))]...)
		return
	}
	j.report(pointer, "found %s, expected %s", show(value), j.expected(t))
}

// flat replaces type names by their definitions.
func (j *validation) flat(types []*typ) []*typ {
	var all []*typ
	for _, t := range types {
		if s := j.shapes[t.shape]; s != nil && s.alias != nil {
			all = append(all, j.flat(alternatives(s.alias))...)
			continue
		}
		all = append(all, t)
	}
	return all
}

func alternatives(t *typ) []*typ {
	if t.either != nil {
		return t.either
	}
	return []*typ{t}
}

// marked reports whether an object has all the literals that identify a shape, or, if the shape has none,
// whether it is an object at all.
func (j *validation) marked(t *typ, value json.RawMessage) bool {
	s := j.shapes[t.shape]
	if s == nil {
		return t.array != nil && kindOf(value) == "array"
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return false
	}
	for _, f := range s.fields {
		if f.typ.literal != "" && !f.optional && !sameText(members[f.name], f.typ.literal) {
			return false
		}
	}
	return true
}

// expected returns the display name of a type.
func (j *validation) expected(t *typ) string {
	switch {
	case t.basic != "":
		return withArticle(t.basic)
	case t.literal != "":
		return t.literal
	case t.array != nil:
		return "an array"
	case t.values != nil:
		return "an object"
	case t.either != nil:
		var names []string
		for _, alternative := range j.flat(t.either) {
			names = append(names, j.expected(alternative))
		}
		return strings.Join(names, " or ")
	}
	s := j.shapes[t.shape]
	if s.alias != nil {
		return j.expected(s.alias)
	}
	for _, f := range s.fields {
		if f.typ.literal != "" && !f.optional {
			return fmt.Sprintf("an object with %s %s", f.name, f.typ.literal)
		}
	}
	return "an object (" + t.shape + ")"
}

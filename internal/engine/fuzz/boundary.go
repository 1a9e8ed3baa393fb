package fuzz

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Sizes of what is called long.
const (
	longText = 10_000
	hugeText = 200_000
)

// boundaries are values at the edges of what the rules of a node allow, and just beyond.
func boundaries(n *node) []edit {
	switch n.kind {
	case '"':
		return textBoundaries(n)
	case '0':
		return numberBoundaries(n)
	case '[':
		return listBoundaries(n)
	case '{':
		return objectBoundaries(n)
	case 't', 'f':
		return append(replace(n, Boundary, "the other truth value", "true", "false"), replace(n, NearMiss, "type: a number for a truth value", "1", `"true"`)...)
	}
	return nil
}

func textBoundaries(n *node) []edit {
	if list, ok := n.rules.Get("enum"); ok {
		return enumBoundaries(n, list)
	}
	if raw, ok := n.rules.Get("const"); ok {
		return replace(n, NearMiss, "const: another value", string(quote(flat(raw)+"x")))
	}
	fixed := n.rules.Has("pattern") || n.rules.Has("format")
	var all []edit
	if most, ok := count(n, "maxLength"); ok && most < hugeText {
		if !fixed {
			all = append(all, replace(n, Boundary, "maxLength: exactly as long as allowed", text(most))...)
			all = append(all, replace(n, Boundary, "maxLength: one shorter than allowed", text(most-1))...)
		}
		all = append(all, replace(n, NearMiss, "maxLength: one character too many", text(most+1))...)
		all = append(all, replace(n, NearMiss, "maxLength: far too long", text(most+longText))...)
	} else if !fixed {
		all = append(all, replace(n, Boundary, "a very long text", text(longText), text(hugeText))...)
	}
	if least, ok := count(n, "minLength"); ok && least > 0 {
		if !fixed {
			all = append(all, replace(n, Boundary, "minLength: exactly as short as allowed", text(least))...)
		}
		all = append(all, replace(n, NearMiss, "minLength: one character too few", text(least-1))...)
	} else if !fixed {
		all = append(all, replace(n, Boundary, "an empty text", `""`)...)
	}
	if n.rules.Has("pattern") {
		all = append(all, replace(n, NearMiss, "pattern: a text that does not match", `"\u0000"`, `"!"`, `""`)...)
	}
	if n.rules.Has("format") {
		all = append(all, replace(n, NearMiss, "format: not of the format", `"not of the format"`, `""`)...)
	}
	return append(all, replace(n, NearMiss, "type: not a text", "0", "true", "[]", "{}", "null")...)
}

func enumBoundaries(n *node, list json.RawMessage) []edit {
	var all []edit
	values, _ := schema.Elements(list)
	for _, v := range values[:min(len(values), 20)] {
		all = append(all, replace(n, Valid, "enum: "+flat(v), string(v))...)
	}
	if len(values) > 0 {
		first := flat(values[0])
		all = append(all, replace(n, NearMiss, "enum: a value that is none of them", string(quote(first+"x")), `""`, string(quote(strings.ToUpper(first))), string(quote(" "+first)))...)
	}
	return append(all, replace(n, NearMiss, "type: not a text", "0", "null")...)
}

func numberBoundaries(n *node) []edit {
	if list, ok := n.rules.Get("enum"); ok {
		return enumBoundaries(n, list)
	}
	var all []edit
	integer := typeAllows(n, "integer") && !typeAllows(n, "number")
	for _, bound := range []struct {
		keyword string
		inside  int64 // how far inside the bound the edge lies, and in which direction
		outside int64
	}{{"minimum", 0, -1}, {"maximum", 0, 1}, {"exclusiveMinimum", 1, 0}, {"exclusiveMaximum", -1, 0}} {
		if at, ok := number(n, bound.keyword); ok {
			all = append(all, replace(n, Boundary, bound.keyword+": the last value that is allowed", shifted(at, bound.inside))...)
			all = append(all, replace(n, NearMiss, bound.keyword+": the first value that is not allowed", shifted(at, bound.outside))...)
		}
	}
	if _, bounded := number(n, "maximum"); !bounded {
		all = append(all, replace(n, Boundary, "a large number", "2147483647", "2147483648", "9007199254740993", "9223372036854775807", "18446744073709551616", "1e308")...)
	}
	if _, bounded := number(n, "minimum"); !bounded {
		all = append(all, replace(n, Boundary, "a negative number", "-1", "-2147483649", "-9223372036854775809", "0")...)
	}
	if step, ok := number(n, "multipleOf"); ok {
		half := new(big.Rat).Quo(step, big.NewRat(2, 1))
		all = append(all, replace(n, NearMiss, "multipleOf: between two multiples", decimal(half))...)
	}
	if integer {
		all = append(all, replace(n, NearMiss, "type: a fraction for an integer", "1.5")...)
	}
	return append(all, replace(n, NearMiss, "type: not a number", `"x"`, "true", "[]", "{}", "null")...)
}

func listBoundaries(n *node) []edit {
	var all []edit
	element := "null"
	if len(n.items) > 0 {
		element = string(render(nil, n.items[0], nil))
	}
	repeat := func(times int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", max(times, 0)), ",") + "]"
	}
	unique := n.rules.Has("uniqueItems")
	if most, ok := count(n, "maxItems"); ok && most < 2000 {
		if !unique {
			all = append(all, replace(n, Boundary, "maxItems: exactly as many as allowed", repeat(most))...)
		}
		all = append(all, replace(n, NearMiss, "maxItems: one item too many", repeat(most+1))...)
	} else if !unique {
		all = append(all, replace(n, Boundary, "many items", repeat(1000))...)
	}
	if least, ok := count(n, "minItems"); ok && least > 0 {
		all = append(all, replace(n, NearMiss, "minItems: one item too few", repeat(least-1))...)
	} else {
		all = append(all, replace(n, Boundary, "an empty list", "[]")...)
	}
	if unique {
		all = append(all, replace(n, NearMiss, "uniqueItems: the same item twice", repeat(2))...)
	}
	return append(all, replace(n, NearMiss, "type: not a list", `"x"`, "0", "{}", "null", `["`+"x"+`",0,null]`)...)
}

func objectBoundaries(n *node) []edit {
	var all []edit
	for _, m := range n.members {
		if m.value.required {
			all = append(all, edit{at: n, kind: NearMiss, says: "required: " + m.name + " is missing" + place(n), drop: m.name})
		} else {
			all = append(all, edit{at: n, kind: Boundary, says: m.name + " is left out" + place(n), drop: m.name})
		}
	}
	if raw, ok := n.rules.Get("additionalProperties"); ok && string(raw) == "false" {
		all = append(all, edit{at: n, kind: NearMiss, says: "additionalProperties: an unknown member" + place(n), add: "unexpected_member", value: json.RawMessage(`"x"`)})
	}
	if n.path == "" {
		return all
	}
	return append(all, replace(n, NearMiss, "type: not an object", `"x"`, "0", "[]", "null", "{}")...)
}

func count(n *node, keyword string) (int, bool) {
	raw, ok := n.rules.Get(keyword)
	if !ok {
		return 0, false
	}
	value, err := strconv.Atoi(string(raw))
	return value, err == nil && value >= 0
}

func number(n *node, keyword string) (*big.Rat, bool) {
	raw, ok := n.rules.Get(keyword)
	if !ok || len(raw) > 40 || strings.Contains(string(raw), "e") && len(raw) > 8 {
		return nil, false
	}
	return new(big.Rat).SetString(string(raw))
}

func shifted(at *big.Rat, by int64) string {
	return decimal(new(big.Rat).Add(at, big.NewRat(by, 1)))
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(12), "0")
}

func typeAllows(n *node, name string) bool {
	for _, t := range n.rules.Types() {
		if t == name {
			return true
		}
	}
	return false
}

func text(length int) string { return `"` + strings.Repeat("a", max(length, 0)) + `"` }

func flat(raw json.RawMessage) string {
	if s, ok := schema.Text(raw); ok {
		return s
	}
	return string(raw)
}

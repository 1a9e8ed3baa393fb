package cases

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Sizes of long values.
const (
	longText = 10_000
	hugeText = 200_000
)

// wideText takes several reads from a pipe, each of which probably ends inside of a letter.
var wideText = sync.OnceValue(func() string { return `"` + strings.Repeat("漢", hugeText/3) + `"` })

// Dates at which calculations fail: a year later there is no such day, or the next day has another year.
var (
	leapDays = map[string][]string{"date": {`"2024-02-29"`}, "date-time": {`"2024-02-29T12:00:00Z"`}}
	// the limits of a year, the first day of computers, and days before and long after it
	otherDates = map[string][]string{
		"date": {`"2024-01-01"`, `"2023-02-28"`, `"1970-01-01"`, `"1969-12-31"`, `"1900-01-01"`, `"2999-12-31"`},
		"date-time": {`"2024-01-01T00:00:00Z"`, `"2023-02-28T12:00:00Z"`, `"1970-01-01T00:00:00Z"`, `"1969-12-31T23:59:59Z"`,
			`"1900-01-01T12:00:00Z"`, `"2999-12-31T12:00:00Z"`}}
	yearEnds = map[string][]string{"date": {`"2024-12-31"`}, "date-time": {`"2024-12-31T23:59:59Z"`}}
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
		return append(replace(n, Boundary, "the opposite boolean", "true", "false"),
			replace(n, NearMiss, "type: a number instead of a boolean", "1", `"true"`)...)
	}
	return nil
}

func textBoundaries(n *node) []edit {
	if list, ok := n.rules.Get("enum"); ok {
		return enumBoundaries(n, list)
	}
	if raw, ok := n.rules.Get("const"); ok {
		return replace(n, NearMiss, "const: another value", string(rawjson.Quote(schema.Plain(raw)+"x")))
	}
	fixed := n.rules.Has("pattern") || n.rules.Has("format")
	all := mentions(n, schema.Examples(schema.TextAt(n.rules.Raw, "/description")))
	if !fixed {
		all = append(all, n.document()...)
	}
	if most, ok := count(n, "maxLength"); ok && most < hugeText {
		all = append(all, n.atLimit("maxLength: exactly the maximum length", most, most-1)...)
		all = append(all, n.wideLimit(most)...)
		all = append(all, n.beyond("maxLength: one character too many", most+1)...)
		all = append(all, replace(n, NearMiss, "maxLength: far too long", text(most+longText))...)
	} else if !fixed {
		all = append(all, replace(n, Boundary, "a very long string", text(longText), text(hugeText))...)
		all = append(all, replace(n, Boundary, "a very long string in letters beyond ASCII", wideText())...)
	}
	if least, ok := count(n, "minLength"); ok && least > 0 {
		all = append(all, n.atLimit("minLength: exactly the minimum length", least, least+1)...)
		all = append(all, n.beyond("minLength: one character too few", least-1)...)
	} else if !fixed {
		all = append(all, first(replace(n, Boundary, "an empty string", `""`))...)
	}
	if n.rules.Has("pattern") {
		all = append(all, n.otherMatches()...)
		all = append(all, replace(n, NearMiss, "pattern: a string that does not match", `"\u0000"`, `"!"`, `""`)...)
	}
	if format, ok := n.rules.Text("format"); ok {
		all = append(all, first(replace(n, Boundary, "29 February", leapDays[format]...))...)
		all = append(all, first(replace(n, Boundary, "the end of a year", yearEnds[format]...))...)
		all = append(all, replace(n, Boundary, "a date at which calculations fail", otherDates[format]...)...)
	}
	all = append(all, n.impossibleDay()...)
	all = append(all, n.padded()...)
	if n.rules.Has("format") {
		all = append(all, replace(n, NearMiss, "format: a string that does not match", `"not of the format"`, `""`)...)
	}
	all = append(all, first(replace(n, NearMiss, "type: not a string", "{}"))...)
	return append(all, replace(n, NearMiss, "type: not a string", "0", "true", "[]", "null")...)
}

// document is a text with something in it, where the argument calls for one.
func (n *node) document() []edit {
	text := schema.DocumentFor(n.path[strings.LastIndexByte(n.path, '/')+1:], schema.TextAt(n.rules.Raw, "/description"))
	if text == "" {
		return nil
	}
	return first(replace(n, Valid, "a text with something in it", string(rawjson.Quote(text))))
}

// otherMatches are other strings that match the pattern, such as IDs that the server does not know.
func (n *node) otherMatches() []edit {
	pattern, _ := n.rules.Text("pattern")
	least, _ := count(n, "minLength")
	most, ok := count(n, "maxLength")
	if !ok {
		most = longText
	}
	var values []string
	for _, text := range schema.OtherMatches(pattern, least, most, 2) {
		values = append(values, string(rawjson.Quote(text)))
	}
	return first(replace(n, Boundary, "pattern: another string that matches", values...))
}

// atLimit is a value of exactly the size that a limit allows, and one just inside for comparison.
func (n *node) atLimit(says string, size, inside int) []edit {
	value, ok := n.sized(size)
	if !ok {
		return nil
	}
	all := first(replace(n, Boundary, says, value))
	if len(all) == 0 {
		return nil
	}
	if all[0].inside = n.resized(json.RawMessage(value), inside); all[0].inside == nil {
		if other, ok := n.sized(inside); ok {
			all[0].inside = json.RawMessage(other)
		}
	}
	return all
}

// resized is a list with another number of the same items, so that only the number differs; nil if it cannot be made.
func (n *node) resized(list json.RawMessage, size int) json.RawMessage {
	items, err := schema.Elements(list)
	if err != nil || len(items) == 0 || size < 1 || n.rules.Has("uniqueItems") || n.rules.Has("prefixItems") {
		return nil
	}
	for len(items) < size {
		items = append(items, items[len(items)-1])
	}
	raw, _ := json.Marshal(items[:size]) // items of JSON always marshal
	return raw
}

// wideLimit is a text of the maximum length in letters of two bytes, and a shorter one for comparison: a server that
// counts bytes rejects the first and accepts the second.
func (n *node) wideLimit(most int) []edit {
	if n.rules.Has("pattern") || n.rules.Has("format") || most < minWide {
		return nil
	}
	wide := func(letters int) string { return `"` + strings.Repeat("é", letters) + `"` }
	all := first(replace(n, Boundary, "maxLength: exactly the maximum length, in letters beyond ASCII", wide(most)))
	for i := range all {
		all[i].inside = json.RawMessage(wide(most / minWide))
	}
	return all
}

// minWide is the length from which a quarter of a text is still a text.
const minWide = 4

// beyond is a value whose size is just outside the limit, and which violates no other rule.
func (n *node) beyond(says string, size int) []edit {
	if value, ok := n.sized(size); ok {
		return first(replace(n, NearMiss, says, value))
	}
	return nil
}

// first marks edits that are run before all others: a short run has no time for more.
func first(edits []edit) []edit {
	for i := range edits {
		edits[i].first = true
	}
	return edits
}

// fewChoices is how many values of a list are all tried early.
const fewChoices = 8

func enumBoundaries(n *node, list json.RawMessage) []edit {
	var all []edit
	values, _ := schema.Elements(list)
	for _, v := range values[:min(len(values), 20)] {
		member := replace(n, Valid, "enum: "+schema.Plain(v), string(v))
		if len(values) <= fewChoices {
			first(member)
		}
		all = append(all, member...)
	}
	if len(values) > 0 {
		name := schema.Plain(values[0])
		all = append(all, first(replace(n, NearMiss, "enum: a value not in the list", string(rawjson.Quote(name+"x"))))...)
		all = append(all, replace(n, NearMiss, "enum: a value not in the list", `""`,
			string(rawjson.Quote(strings.ToUpper(name))), string(rawjson.Quote(" "+name)))...)
	}
	return append(all, replace(n, NearMiss, "type: not a string", "0", "null")...)
}

func numberBoundaries(n *node) []edit {
	if list, ok := n.rules.Get("enum"); ok {
		return enumBoundaries(n, list)
	}
	var all []edit
	integer := typeAllows(n, "integer") && !typeAllows(n, "number")
	for _, bound := range []struct {
		keyword string
		inside  int64 // distance from the bound to the edge value, with its sign
		outside int64
	}{{"minimum", 0, -1}, {"maximum", 0, 1}, {"exclusiveMinimum", 1, 0}, {"exclusiveMaximum", -1, 0}} {
		if at, ok := number(n, bound.keyword); ok {
			edge := first(replace(n, Boundary, bound.keyword+": the last allowed value", shifted(at, bound.inside)))
			for i := range edge {
				edge[i].inside = json.RawMessage(shifted(at, 2*bound.inside-bound.outside))
			}
			all = append(all, edge...)
			all = append(all, first(replace(n, NearMiss, bound.keyword+": the first value not allowed",
				beyondBound(at, bound.outside)))...)
		}
	}
	all = append(all, n.wideInteger()...)
	if _, bounded := number(n, "maximum"); !bounded {
		all = append(all, first(replace(n, Boundary, "a large number", "9223372036854775807",
			"1234567890123456789"))...)
		all = append(all, replace(n, Boundary, "a large number", "2147483647", "2147483648", "9007199254740993",
			"1000000000000", "10000000000000000",
			"1000000000000000000", "18446744073709551616")...)
		if !integer {
			// an integer, too, but no language has it
			all = append(all, first(replace(n, Boundary, "a large number", "1e308"))...)
		}
	}
	if _, bounded := number(n, "minimum"); !bounded {
		all = append(all, first(replace(n, Boundary, "a small number", "0", "-1"))...)
		all = append(all, replace(n, Boundary, "a negative number", "-2147483649", "-9223372036854775809")...)
	}
	if step, ok := number(n, "multipleOf"); ok {
		if between := betweenMultiples(n, step, integer); survivesRounding(between) {
			all = append(all, first(replace(n, NearMiss, "multipleOf: between two multiples", between))...)
		}
	}
	if half := fraction(n); integer && survivesRounding(half) {
		all = append(all, first(replace(n, NearMiss, "type: a fraction instead of an integer", half))...)
	}
	all = append(all, first(replace(n, NearMiss, "type: not a number", `"x"`))...)
	return append(all, replace(n, NearMiss, "type: not a number", "true", "[]", "{}", "null")...)
}

// betweenMultiples is a number next to the value of a node that violates multipleOf and nothing else; empty if there is
// none.
func betweenMultiples(n *node, step *big.Rat, integer bool) string {
	at, ok := new(big.Rat).SetString(string(n.raw))
	half := new(big.Rat).Quo(step, big.NewRat(2, 1))
	if integer && !half.IsInt() {
		half = big.NewRat(1, 1)
	}
	if !ok || step.Sign() <= 0 || new(big.Rat).Quo(half, step).IsInt() {
		return ""
	}
	if most, bounded := number(n, "maximum"); bounded && new(big.Rat).Add(at, half).Cmp(most) > 0 {
		half.Neg(half)
	}
	return decimal(half.Add(half, at))
}

func listBoundaries(n *node) []edit {
	var all []edit
	if most, ok := count(n, "maxItems"); ok && most < 2000 {
		all = append(all, n.atLimit("maxItems: exactly the maximum number of items", most, most-1)...)
		all = append(all, n.beyond("maxItems: one item too many", most+1)...)
	} else if !n.rules.Has("uniqueItems") && len(n.items) > 0 {
		all = append(all, replace(n, Boundary, "many items", repeat(n.items[0], 1000))...)
	}
	if least, ok := count(n, "minItems"); ok && least > 0 {
		all = append(all, n.atLimit("minItems: exactly the minimum number of items", least, least+1)...)
		all = append(all, n.beyond("minItems: one item too few", least-1)...)
	} else {
		all = append(all, first(replace(n, Boundary, "an empty array", "[]"))...)
	}
	if n.rules.Has("uniqueItems") && len(n.items) > 0 {
		all = append(all, first(replace(n, NearMiss, "uniqueItems: a duplicate item", repeat(n.items[0], 2)))...)
	}
	all = append(all, first(replace(n, NearMiss, "type: not an array", `"x"`))...)
	return append(all, replace(n, NearMiss, "type: not an array", "0", "{}", "null", `["`+"x"+`",0,null]`)...)
}

// repeat is an array of copies of the same item.
func repeat(item *node, times int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(string(render(nil, item, nil))+",", times), ",") + "]"
}

func objectBoundaries(n *node) []edit {
	var all []edit
	for _, m := range n.members {
		if m.value.required {
			all = append(all, edit{at: n, kind: NearMiss,
				description: "required: " + m.name + " is missing" + locationOf(n),
				drop:        m.name, first: true})
		} else {
			all = append(all, edit{at: n, kind: Boundary, description: m.name + " is omitted" + locationOf(n),
				drop:  m.name,
				first: true})
		}
	}
	if raw, ok := n.rules.Get("additionalProperties"); ok && string(raw) == "false" {
		all = append(all, edit{at: n, kind: NearMiss,
			description: "additionalProperties: an unknown property" + locationOf(n),
			add:         "unexpected_member", value: json.RawMessage(`"x"`), first: true})
	}
	all = append(all, n.otherValue()...)
	all = append(all, n.otherMembers()...)
	if n.path == "" {
		return all
	}
	all = append(all, first(replace(n, NearMiss, "type: not an object", `"x"`))...)
	return append(all, replace(n, NearMiss, "type: not an object", "0", "[]", "null", "{}")...)
}

// otherValue adds a member that the schema does not declare, with a value of another type than it allows there.
func (n *node) otherValue() []edit {
	rules, ok := n.rules.Get("additionalProperties")
	if !ok || schema.Kind(rules) != '{' {
		return nil
	}
	resolved, err := n.source.Resolve(rules)
	if err != nil || len(resolved.Types()) == 0 {
		return nil
	}
	value := `"x"`
	if slices.Contains(resolved.Types(), "string") {
		value = "{}"
	}
	return []edit{{at: n, kind: NearMiss, description: "additionalProperties: a value of another type" + locationOf(n),
		add: "unexpected_member", value: json.RawMessage(value), first: true}}
}

// relations are keywords that allow some members of an object only together, or not together.
var relations = []string{"oneOf", "anyOf", "not", "if", "dependentRequired", "dependentSchemas", "maxProperties"}

// otherMembers adds each declared member that a sample does not have, if the schema relates members: together they may
// not be allowed.
func (n *node) otherMembers() []edit {
	if !slices.ContainsFunc(relations, n.rules.Has) {
		return nil
	}
	declared, _ := n.rules.Get("properties")
	members, _ := schema.Members(declared)
	var all []edit
	for _, m := range members[:min(len(members), maxOthers)] {
		if slices.ContainsFunc(n.members, func(has member) bool { return has.name == m.Name }) {
			continue
		}
		resolved, err := n.source.Resolve(m.Value)
		if err != nil {
			continue
		}
		if value, err := schema.Sample(resolved.Raw, nil); err == nil {
			all = append(all, edit{at: n, kind: Boundary, description: m.Name + " is added" + locationOf(n), add: m.Name,
				value: value, first: true})
		}
	}
	return all
}

// maxOthers limits the members that are added to an object, one at a time.
const maxOthers = 10

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

package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// makeObject sets the required properties, and as many optional ones as the style requires.
func (m *sampler) makeObject(n *Node, depth int) (json.RawMessage, error) {
	required := m.requiredNames(n)
	properties, _ := n.Get("properties")
	declared, _ := Members(properties)
	var filled []Member
	var lists []json.RawMessage // of the values of each
	for _, property := range declared {
		isRequired := slices.Contains(required, property.Name)
		if !isRequired && !m.includesOptional(n, len(filled), depth) {
			continue
		}
		value, err := m.make(property.Value, depth+1)
		if err != nil && isRequired {
			return nil, fmt.Errorf("%s: %w", property.Name, err)
		}
		if err == nil {
			filled = append(filled, Member{property.Name, property.Key, value})
			lists = append(lists, m.choices(property.Value))
			m.differ(filled, lists)
			orderEnds(filled)
		}
	}
	filled, err := m.fillUndeclared(n, required, filled, depth)
	if err != nil {
		return nil, err
	}
	return object(filled), nil
}

// choices returns the list of values of a property; nil if it has none, or if its author states the usual value.
func (m *sampler) choices(property json.RawMessage) json.RawMessage {
	n, err := m.resolver.Resolve(property)
	if _, stated := m.hint(&n); err != nil || stated {
		return nil
	}
	list, _ := n.Get("enum")
	return list
}

// differ gives the last property another value than those before it with the same list of values: a journey from a station
// to itself, or a conversion of a unit into itself, is seldom allowed.
func (m *sampler) differ(filled []Member, lists []json.RawMessage) {
	last := len(filled) - 1
	values, _ := Elements(lists[last])
	same := func(value json.RawMessage) func(json.RawMessage) bool {
		return func(other json.RawMessage) bool { return bytes.Equal(value, other) }
	}
	at := slices.IndexFunc(values, same(filled[last].Value))
	for i := range last {
		if at < 0 || !bytes.Equal(lists[i], lists[last]) || !bytes.Equal(filled[i].Value, filled[last].Value) {
			continue
		}
		at = (at + 1) % len(values)
		filled[last].Value = values[at]
	}
}

// requiredNames adds what dependentRequired requires once its trigger is present.
func (m *sampler) requiredNames(n *Node) []string {
	list, _ := n.Get("required")
	names := texts(list)
	dependent, _ := n.Get("dependentRequired")
	triggers, _ := Members(dependent)
	for range triggers {
		for _, trigger := range triggers {
			if slices.Contains(names, trigger.Name) || m.options.AllProperties {
				names = append(names, texts(trigger.Value)...)
			}
		}
	}
	return names
}

const typicalProperties = 3

func (m *sampler) includesOptional(n *Node, filled, depth int) bool {
	least := integerOf(n, "minProperties", 0)
	if filled < least {
		return true
	}
	if most := integerOf(n, "maxProperties", -1); most >= 0 && filled >= most {
		return false
	}
	if m.options.AllProperties && m.try < sampleTries/2 {
		return depth <= deepOptional
	}
	return !m.smallest() && m.try < 4 && depth <= 1 && filled < typicalProperties
}

// fillUndeclared adds required names without a declared property, and more if minProperties requires them.
func (m *sampler) fillUndeclared(n *Node, required []string, filled []Member, depth int) ([]Member, error) {
	has := func(name string) bool {
		return slices.ContainsFunc(filled, func(have Member) bool { return have.Name == name })
	}
	least := integerOf(n, "minProperties", 0)
	if least > maxSampleValues {
		return nil, errors.New("minProperties is too large")
	}
	for i := 0; len(filled) < least; i++ {
		if i > 2*least {
			return nil, errors.New("no more property names found")
		}
		if name := m.newName(n, i); !has(name) && !slices.Contains(required, name) {
			required = append(slices.Clip(required), name)
		}
		if missing := len(slices.DeleteFunc(slices.Clone(required), has)); len(filled)+missing >= least {
			break
		}
	}
	for _, name := range required {
		if has(name) {
			continue
		}
		value, err := m.make(undeclaredSchema(n, name), depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		filled = append(filled, Member{name, rawjson.Quote(name), value})
	}
	return filled, nil
}

func (m *sampler) newName(n *Node, i int) string {
	if names, ok := n.Get("propertyNames"); ok {
		if resolved, err := m.resolver.Resolve(names); err == nil {
			if values, ok := resolved.Get("enum"); ok {
				if list := texts(values); len(list) > 0 {
					return list[i%len(list)]
				}
			}
			if raw, err := m.makeString(&resolved); err == nil {
				name, _ := Text(raw)
				return name
			}
		}
	}
	if patterns, ok := n.Get("patternProperties"); ok {
		if list, err := Members(patterns); err == nil && len(list) > 0 {
			if name, err := m.matching(list[0].Name, 0, -1); err == nil && i == 0 {
				return name
			}
		}
	}
	return fmt.Sprintf("key%d", i+1)
}

// undeclaredSchema returns the schema for a name that properties does not list.
func undeclaredSchema(n *Node, name string) json.RawMessage {
	if patterns, ok := n.Get("patternProperties"); ok {
		list, _ := Members(patterns)
		for _, entry := range list {
			if re, err := (&patternEngine{timer: &matchBudgetTimer{},
				sealed: true}).compile(entry.Name); err == nil && re.MatchString(name) {
				return entry.Value
			}
		}
	}
	if additional, ok := n.Get("additionalProperties"); ok {
		return additional
	}
	return json.RawMessage(`{"type":"string"}`)
}

// makeArray generates as many items as required, at least one if the style is typical.
func (m *sampler) makeArray(n *Node, depth int) (json.RawMessage, error) {
	prefix, rest := tuple(n)
	count := max(integerOf(n, "minItems", 0), 0)
	count = max(count, len(required(n)))
	if count == 0 && !m.smallest() && depth <= deepOptional {
		count = 1
	}
	numbers := !m.smallest() && m.try == 0 && len(prefix) == 0 && m.isNumeric(rest)
	if numbers && count > 0 {
		count = max(count, someNumbers)
	}
	if count > maxSampleValues {
		return nil, errors.New("minItems is too large")
	}
	if most := integerOf(n, "maxItems", -1); most >= 0 {
		count = min(count, most)
	}
	var items []json.RawMessage
	for i := range count {
		item, err := m.makeItem(n, prefix, rest, i, items, numbers, depth)
		if err != nil && i >= integerOf(n, "minItems", 0) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		items = append(items, item)
	}
	return array(items), nil
}

// someNumbers is the length of a list of numbers: an average or a trend of one number, or of equal ones, shows nothing.
const someNumbers = 3

// isNumeric reports whether a schema is that of a number without a list of values.
func (m *sampler) isNumeric(raw json.RawMessage) bool {
	n, err := m.resolver.Resolve(raw)
	if err != nil || n.Has("enum") || n.Has("const") {
		return false
	}
	types := n.Types()
	return len(types) == 1 && (types[0] == "number" || types[0] == "integer")
}

func (m *sampler) makeItem(n *Node, prefix []json.RawMessage, rest json.RawMessage, i int, before []json.RawMessage,
	distinct bool, depth int) (json.RawMessage, error) {
	wanted := rest
	if i < len(prefix) {
		wanted = prefix[i]
	}
	if contained := required(n); len(contained) > 0 && i >= len(prefix) {
		wanted = both(contained[min(i-len(prefix), len(contained)-1)], wanted)
	}
	if unique, _ := n.Get("uniqueItems"); Kind(unique) == 't' {
		return m.makeDistinct(wanted, before, depth)
	}
	if distinct {
		if item, err := m.makeDistinct(wanted, before, depth); err == nil {
			return item, nil
		}
	}
	return m.make(wanted, depth+1)
}

// required lists the schemas that contains requires, one for each item; minContains repeats the first.
func required(n *Node) []json.RawMessage {
	var all []json.RawMessage
	for _, m := range n.Members {
		if m.Name != "contains" {
			continue
		}
		repeats := 1
		if len(all) == 0 {
			repeats = min(integerOf(n, "minContains", 1), maxSampleValues+1)
		}
		for range repeats {
			all = append(all, m.Value)
		}
	}
	return all
}

// makeDistinct tries the values of an enum, then varies strings and numbers until one is unique.
func (m *sampler) makeDistinct(wanted json.RawMessage, before []json.RawMessage, depth int) (json.RawMessage, error) {
	resolved, err := m.resolver.Resolve(wanted)
	if err != nil {
		return nil, err
	}
	if enum, ok := resolved.Get("enum"); ok {
		values, _ := Elements(enum)
		for _, value := range values {
			if !containsRaw(before, value) {
				return value, nil
			}
		}
	}
	hints := m.hints
	defer func() { m.hints = hints }()
	for range 20 {
		value, err := m.make(wanted, depth+1)
		if err != nil {
			return nil, err
		}
		if varied := vary(value, len(before)); !containsRaw(before, varied) && preservesText(&resolved, varied) {
			return varied, nil
		}
		for _, other := range respelled(value) {
			if !containsRaw(before, other) && preservesText(&resolved, other) {
				return other, nil
			}
		}
		m.hints = false
	}
	return nil, errors.New("no further unique item found")
}

// preservesText reports whether a string has the length and the pattern that a schema requires. Other values pass.
func preservesText(n *Node, value json.RawMessage) bool {
	text, ok := Text(value)
	if !ok {
		return true
	}
	if pattern, ok := n.Text("pattern"); ok {
		if re, err := regexp.Compile(unicodeEscapes(pattern)); err == nil && !re.MatchString(text) {
			return false
		}
	}
	return utf8.RuneCountInString(text) <= integerOf(n, "maxLength", math.MaxInt)
}

// respelled returns strings that differ from a string in their last character, if it must not be longer.
func respelled(value json.RawMessage) []json.RawMessage {
	text, ok := Text(value)
	if !ok || text == "" {
		return nil
	}
	_, size := utf8.DecodeLastRuneInString(text)
	var all []json.RawMessage
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		all = append(all, rawjson.Quote(text[:len(text)-size]+string(r)))
	}
	return all
}

// vary makes the i-th of several simple values different from the others.
func vary(value json.RawMessage, i int) json.RawMessage {
	if i == 0 {
		return value
	}
	if text, ok := Text(value); ok {
		return rawjson.Quote(fmt.Sprintf("%s%d", text, i+1))
	}
	if number, ok := rational(value); ok && number.IsInt() && number.Num().IsInt64() {
		return json.RawMessage(fmt.Sprint(number.Num().Int64() + int64(i)))
	}
	return value
}

// tuple splits the item schemas of any draft into positional ones and that of the rest.
func tuple(n *Node) (prefix []json.RawMessage, rest json.RawMessage) {
	rest = json.RawMessage(`{"type":"string"}`)
	if raw, ok := n.Get("prefixItems"); ok {
		prefix, _ = Elements(raw)
	}
	items, ok := n.Get("items")
	if ok && Kind(items) == '[' {
		prefix, _ = Elements(items)
		items, ok = n.Get("additionalItems")
	}
	if ok && Kind(items) != 't' {
		rest = items
	}
	return prefix, rest
}

// integerOf parses a small integer; anything else returns the fallback.
func integerOf(n *Node, keyword string, fallback int) int {
	raw, _ := n.Get(keyword)
	number, ok := rational(raw)
	if !ok || !number.IsInt() || !number.Num().IsInt64() {
		return fallback
	}
	return int(min(number.Num().Int64(), 1<<30))
}

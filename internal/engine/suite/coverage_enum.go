package suite

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An enumValue is one value of an enumeration in the input schema of a tool.
type enumValue struct {
	path  []string // names of properties, and everyItem for the items of an array
	value json.RawMessage
	label string // color="red", or lines[].size=1
}

// everyItem is the part of a path that stands for every element of an array.
const everyItem = "[]"

// Limits for one tool: schemas can refer to themselves, and come from the server.
const (
	maxEnumValues = 1000
	maxEnumDepth  = 8    // of properties and arrays inside each other
	maxEnumVisits = 5000 // of subschemas
)

// enumValues lists the values of all enumerations in the input schema of a tool: of enum, and of const in alternatives.
func enumValues(tool json.RawMessage) []enumValue {
	input, ok := schema.Get(tool, "/inputSchema")
	if !ok {
		return nil
	}
	w := &enumWalk{resolver: schema.NewResolver(input), visits: maxEnumVisits, seen: map[string]bool{}}
	w.visit(nil, input, false)
	return w.all
}

type enumWalk struct {
	resolver *schema.Resolver
	visits   int
	seen     map[string]bool // labels
	all      []enumValue
}

// visit lists the values of a subschema and of those inside it. A const counts only as one of several alternatives.
func (w *enumWalk) visit(path []string, raw json.RawMessage, alternative bool) {
	if w.visits--; w.visits < 0 || len(path) > maxEnumDepth {
		return
	}
	n, err := w.resolver.Resolve(raw)
	if err != nil {
		return // calls of the tool report what is wrong with its schema
	}
	if list, ok := n.Get("enum"); ok {
		values, _ := schema.Elements(list)
		for _, value := range values {
			w.add(path, value)
		}
	}
	if value, ok := n.Get("const"); ok && alternative {
		w.add(path, value)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		list, _ := n.Get(keyword)
		options, _ := schema.Elements(list)
		for _, option := range options {
			w.visit(path, option, true)
		}
	}
	if items, ok := n.Get("items"); ok {
		w.visit(slices.Concat(path, []string{everyItem}), items, false)
	}
	properties, _ := n.Get("properties")
	members, _ := schema.Members(properties)
	for _, m := range members {
		w.visit(slices.Concat(path, []string{m.Name}), m.Value, alternative)
	}
}

func (w *enumWalk) add(path []string, value json.RawMessage) {
	label := strings.ReplaceAll(strings.Join(path, "."), "."+everyItem, everyItem) + "=" + string(value)
	if len(path) == 0 || w.seen[label] || len(w.all) >= maxEnumValues {
		return
	}
	w.seen[label] = true
	w.all = append(w.all, enumValue{path, value, label})
}

// isIn reports whether the arguments of a call contain the value at its location.
func (v *enumValue) isIn(arguments json.RawMessage) bool { return hasValue(arguments, v.path, v.value) }

func hasValue(at json.RawMessage, path []string, value json.RawMessage) bool {
	if len(path) == 0 {
		return match.Equal(at, value)
	}
	if path[0] == everyItem {
		items, _ := schema.Elements(at)
		return slices.ContainsFunc(items, func(item json.RawMessage) bool { return hasValue(item, path[1:], value) })
	}
	members, _ := schema.Members(at)
	return slices.ContainsFunc(members, func(m schema.Member) bool {
		return m.Name == path[0] && hasValue(m.Value, path[1:], value)
	})
}

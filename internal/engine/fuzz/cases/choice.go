package cases

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Choice is an argument for which the schema lists the values.
type Choice struct {
	Name   string
	Values []json.RawMessage
}

// Has reports whether a value is in the list.
func (c Choice) Has(value json.RawMessage) bool {
	return slices.ContainsFunc(c.Values, func(v json.RawMessage) bool { return bytes.Equal(v, value) })
}

// Choices returns the arguments of the tool for which the schema lists at least two values.
func (g *Generator) Choices() []Choice {
	var all []Choice
	for _, base := range g.bases {
		for _, m := range base.members {
			list, _ := m.value.rules.Get("enum")
			values, _ := schema.Elements(list)
			known := func(c Choice) bool { return c.Name == m.name }
			if len(values) > 1 && !slices.ContainsFunc(all, known) {
				all = append(all, Choice{m.name, values})
			}
		}
	}
	return all
}

// Samples returns the distinct samples of the schema.
func (g *Generator) Samples() []Case {
	var all []Case
	for _, base := range g.bases {
		c := g.finish(Case{Kind: Valid, Description: "a sample"}, base, nil)
		if !slices.ContainsFunc(all, func(other Case) bool { return bytes.Equal(other.Arguments, c.Arguments) }) {
			g.Validate(&c)
			all = append(all, c)
		}
	}
	return all
}

// constants returns the values of a schema that lists them as alternatives with a constant each, as an enum with
// descriptions is often written; nil for any other.
func (n *node) constants() json.RawMessage {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list, _ := n.rules.Get(keyword)
		branches, _ := schema.Elements(list)
		out := []byte{'['}
		for _, b := range branches {
			resolved, err := n.source.Resolve(b)
			value, ok := resolved.Get("const")
			if err != nil || !ok {
				break
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, value...)
		}
		out = append(out, ']')
		if values, _ := schema.Elements(out); len(values) > 1 && len(values) == len(branches) {
			return out
		}
	}
	return nil
}

package workbench

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Signature formats a tool's parameters: (a: number, b?: string).
func Signature(inputSchema json.RawMessage) string {
	properties, _ := schema.Get(inputSchema, "/properties")
	members, err := schema.Members(properties)
	if err != nil {
		return "()"
	}
	required := requiredNames(inputSchema)
	parts := make([]string, 0, len(members))
	for _, m := range members {
		mark := "?"
		if slices.Contains(required, m.Name) {
			mark = ""
		}
		parts = append(parts, m.Name+mark+": "+typeName(m.Value))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func requiredNames(inputSchema json.RawMessage) []string {
	raw, _ := schema.Get(inputSchema, "/required")
	var names []string
	_ = json.Unmarshal(raw, &names)
	return names
}

// typeName returns a short name for the type of a property.
func typeName(property json.RawMessage) string {
	if values, ok := schema.Get(property, "/enum"); ok {
		return enumName(values)
	}
	raw, _ := schema.Get(property, "/type")
	if one, ok := schema.Text(raw); ok {
		if items, found := schema.Get(property, "/items"); one == "array" && found {
			return typeName(items) + "[]"
		}
		return one
	}
	var several []string
	if json.Unmarshal(raw, &several) == nil && len(several) > 0 {
		return strings.Join(several, "|")
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := schema.Get(property, "/"+keyword); ok {
			return branchNames(branches)
		}
	}
	return "any"
}

func branchNames(branches json.RawMessage) string {
	items, _ := schema.Elements(branches)
	var names []string
	for _, item := range items {
		if name := typeName(item); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "any"
	}
	return strings.Join(names, "|")
}

// enumName shows the first few values.
func enumName(values json.RawMessage) string {
	items, _ := schema.Elements(values)
	var parts []string
	for i, item := range items {
		if i == 4 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, string(item))
	}
	return strings.Join(parts, "|")
}

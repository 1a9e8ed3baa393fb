package arguments

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Signature formats a tool's parameters: (a: number, b?: string).
func Signature(inputSchema json.RawMessage) string {
	return strings.Join(SignatureParts(inputSchema), "")
}

// SignatureParts returns a signature in the parts between which a line may be broken.
func SignatureParts(inputSchema json.RawMessage) []string {
	properties, _ := schema.Get(inputSchema, "/properties")
	members, err := schema.Members(properties)
	if err != nil {
		return []string{"()"}
	}
	required := requiredOf(inputSchema)
	parts := []string{"("}
	for i, m := range members {
		mark := "?"
		if slices.Contains(required, m.Name) {
			mark = ""
		}
		end := ", "
		if i == len(members)-1 {
			end = ""
		}
		parts = append(parts, m.Name+mark+": "+(&typeNames{root: inputSchema}).of(m.Value)+end)
	}
	parts[len(parts)-1] += ")"
	return parts
}

func requiredOf(inputSchema json.RawMessage) []string {
	raw, _ := schema.Get(inputSchema, "/required")
	var names []string
	_ = json.Unmarshal(raw, &names)
	return names
}

// A typeNames returns short names for the types of properties. Schemas that refer to each other are followed up to
// maxTypeDepth.
type typeNames struct {
	root  json.RawMessage
	depth int
}

const maxTypeDepth = 8

func (n *typeNames) of(property json.RawMessage) string {
	if n.depth++; n.depth > maxTypeDepth {
		return "any"
	}
	defer func() { n.depth-- }()
	if ref, local := strings.CutPrefix(schema.TextAt(property, "/$ref"), "#"); local {
		if found, ok := schema.Get(n.root, ref); ok {
			return n.of(found)
		}
	}
	if values, ok := schema.Get(property, "/enum"); ok {
		return enumName(values)
	}
	raw, _ := schema.Get(property, "/type")
	if one, ok := schema.Text(raw); ok {
		if items, found := schema.Get(property, "/items"); one == "array" && found {
			return n.of(items) + "[]"
		}
		return one
	}
	var several []string
	if json.Unmarshal(raw, &several) == nil && len(several) > 0 {
		return strings.Join(several, "|")
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := schema.Get(property, "/"+keyword); ok {
			return n.branches(branches)
		}
	}
	return "any"
}

func (n *typeNames) branches(branches json.RawMessage) string {
	items, _ := schema.Elements(branches)
	var names []string
	for _, item := range items {
		if name := n.of(item); !slices.Contains(names, name) {
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

package echo

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Shape describes the properties and types of a value.
func Shape(raw json.RawMessage) string { return shape(raw, 0) }

func shape(raw json.RawMessage, depth int) string {
	switch kind := schema.TypeOf(raw); {
	case depth > 6:
		return "…"
	case kind == "object":
		members, _ := schema.Members(raw)
		var all []string
		for _, m := range members {
			all = append(all, m.Name+": "+shape(m.Value, depth+1))
		}
		slices.Sort(all)
		return "{" + strings.Join(all, ", ") + "}"
	case kind == "array":
		return "list" // of any type: an array may be empty, or its items may differ
	case kind == "integer":
		return "number"
	default:
		return kind
	}
}

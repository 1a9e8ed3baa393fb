package cases

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// BooleanNumber returns the only argument that is a boolean and a number by the schema; empty if there is none or several.
func BooleanNumber(arguments, input json.RawMessage) (name string) {
	members, _ := schema.Members(arguments)
	for _, m := range members {
		declared := schema.TextAt(input, "/properties/"+schema.Token(m.Name)+"/type")
		if kind := schema.Kind(m.Value); kind != 't' && kind != 'f' || declared != "integer" && declared != "number" {
			continue
		}
		if name != "" {
			return ""
		}
		name = m.Name
	}
	return name
}

package words

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// IsPlainText reports whether content has only the type text and a text.
func IsPlainText(block json.RawMessage) bool {
	members, err := schema.Members(block)
	if err != nil || len(members) != 2 {
		return false
	}
	for _, m := range members {
		switch m.Name {
		case "type":
			if string(m.Value) != `"text"` {
				return false
			}
		case "text":
			if schema.Kind(m.Value) != '"' {
				return false
			}
		default:
			return false
		}
	}
	return members[0].Name != members[1].Name
}

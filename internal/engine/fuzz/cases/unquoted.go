package cases

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxSearched is the maximum number of strings of a list that are searched.
const maxSearched = 5

// Unquoted is the text of all strings in the arguments of a call, without names.
func Unquoted(arguments json.RawMessage) string {
	var all strings.Builder
	members, _ := schema.Members(arguments)
	for _, m := range members {
		switch schema.Kind(m.Value) {
		case '"':
			all.WriteString(schema.Plain(m.Value))
		case '{':
			all.WriteString(Unquoted(m.Value))
		case '[':
			items, _ := schema.Elements(m.Value)
			for _, item := range items[:min(len(items), maxSearched)] {
				if schema.Kind(item) == '"' {
					all.WriteString(schema.Plain(item))
				}
			}
		}
	}
	return all.String()
}

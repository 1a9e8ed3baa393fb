package match

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var containsMatcher = &Matcher{
	Name: "contains", Schema: json.RawMessage(`{}`),
	Doc: "A string contains this substring, a list contains this item, an object contains these members with these " +
		"values. A list as the argument means all of its items.",
	New: func(want json.RawMessage) (Accept, error) {
		wanted := []json.RawMessage{want}
		if schema.Kind(want) == '[' {
			items, err := schema.Elements(want)
			if err != nil {
				return nil, err
			}
			wanted = items
		}
		return func(_ *Context, got json.RawMessage) error {
			for _, w := range wanted {
				if !Contains(got, w) {
					return mismatch(got, "value containing %s", clip.Sized(string(w), MaxDisplayed))
				}
			}
			return nil
		}, nil
	},
}

// Contains reports whether a text has a part, a list an item, or an object the members of another.
func Contains(got, want json.RawMessage) bool {
	switch schema.Kind(got) {
	case '"':
		return strings.Contains(Flat(got), Flat(want))
	case '[':
		items, _ := schema.Elements(got)
		for _, item := range items {
			if Equal(item, want) || schema.Kind(item) == '{' && schema.Kind(want) == '{' && Contains(item, want) {
				return true
			}
		}
	case '{':
		if schema.Kind(want) != '{' {
			_, ok := schema.Get(got, "/"+schema.Token(Flat(want)))
			return ok && schema.Kind(want) == '"'
		}
		members, _ := schema.Members(want)
		for _, m := range members {
			have, ok := schema.Get(got, "/"+schema.Token(m.Name))
			if !ok || !Equal(have, m.Value) && !(schema.Kind(m.Value) == '{' && Contains(have, m.Value)) {
				return false
			}
		}
		return true
	}
	return false
}

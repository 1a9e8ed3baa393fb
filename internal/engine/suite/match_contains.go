package suite

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
		return func(_ *MatchContext, got json.RawMessage) error {
			for _, w := range wanted {
				if !contains(got, w) {
					return mismatch(got, "value containing %s", clip.Sized(string(w), maxDisplayed))
				}
			}
			return nil
		}, nil
	},
}

func contains(got, want json.RawMessage) bool {
	switch schema.Kind(got) {
	case '"':
		return strings.Contains(flat(got), flat(want))
	case '[':
		items, _ := schema.Elements(got)
		for _, item := range items {
			if equal(item, want) || schema.Kind(item) == '{' && schema.Kind(want) == '{' && contains(item, want) {
				return true
			}
		}
	case '{':
		if schema.Kind(want) != '{' {
			_, ok := schema.Get(got, "/"+schema.Token(flat(want)))
			return ok && schema.Kind(want) == '"'
		}
		members, _ := schema.Members(want)
		for _, m := range members {
			have, ok := schema.Get(got, "/"+schema.Token(m.Name))
			if !ok || !equal(have, m.Value) && !(schema.Kind(m.Value) == '{' && contains(have, m.Value)) {
				return false
			}
		}
		return true
	}
	return false
}

package match

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var snapshotMatcher = &Matcher{
	Name: "snapshot", Schema: json.RawMessage(`{"anyOf":[{"const":true},{"type":"object",` +
		`"properties":{"name":{"type":"string"},"ignore":{"type":"array","items":{"type":"string"}}},` +
		`"additionalProperties":false}]}`),
	Doc: "The value equals the one stored when the test first ran: true, or a custom name and JSON Pointers of " +
		"members to ignore.",
	New: func(arg json.RawMessage) (Accept, error) {
		var options struct {
			Name   string
			Ignore []string
		}
		if string(arg) != "true" && (schema.Kind(arg) != '{' || json.Unmarshal(arg, &options) != nil) {
			return nil, errors.New("expected true, or name and ignore")
		}
		for _, pointer := range options.Ignore {
			if _, ok := schema.Tokens(pointer); !ok {
				return nil, errors.New("ignore: " + pointer + " is not a JSON Pointer, expected /like/this")
			}
		}
		return func(m *Context, got json.RawMessage) error {
			if got == nil {
				return mismatch(nil, "a value to store")
			}
			key := m.Key
			if options.Name != "" {
				key = options.Name
			}
			return m.Snapshots.match(key, without(got, options.Ignore))
		}, nil
	},
}

// without removes members from a value.
func without(raw json.RawMessage, pointers []string) json.RawMessage {
	for _, pointer := range pointers {
		if _, there := schema.Get(raw, pointer); !there {
			continue
		}
		if edited, err := schema.Apply(raw, []finding.Edit{{Pointer: pointer}}); err == nil {
			raw = edited
		}
	}
	return raw
}

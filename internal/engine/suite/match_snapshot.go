package suite

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var snapshotMatcher = &Matcher{
	Name: "snapshot", Schema: json.RawMessage(`{"anyOf":[{"const":true},{"type":"object","properties":{"name":{"type":"string"},"ignore":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}]}`),
	Doc: "The value is the one that was kept when the test first ran: true, or a name of its own and JSON Pointers of members to ignore.",
	New: func(arg json.RawMessage) (Accept, error) {
		var options struct {
			Name   string
			Ignore []string
		}
		if string(arg) != "true" && (schema.Kind(arg) != '{' || json.Unmarshal(arg, &options) != nil) {
			return nil, errors.New("want true, or name and ignore")
		}
		for _, pointer := range options.Ignore {
			if _, ok := schema.Tokens(pointer); !ok {
				return nil, errors.New("ignore: " + pointer + " is no JSON Pointer; want /like/this")
			}
		}
		return func(m *Moment, got json.RawMessage) error {
			if got == nil {
				return mismatch(nil, "a value to keep")
			}
			key := m.Key
			if options.Name != "" {
				key = options.Name
			}
			return m.Snapshots.match(key, without(got, options.Ignore))
		}, nil
	},
}

// without takes members out of a value.
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

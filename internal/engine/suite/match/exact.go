package match

import "encoding/json"

var exactMatcher = &Matcher{
	Name: "exact", Schema: json.RawMessage(`{}`),
	Doc: "The value equals this one. Numbers are compared by value, objects regardless of the order of their members.",
	New: func(want json.RawMessage) (Accept, error) {
		return func(_ *Context, got json.RawMessage) error {
			if got != nil && Equal(got, want) {
				return nil
			}
			return describe(got, want, "")
		}, nil
	},
}

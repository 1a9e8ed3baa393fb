package match

import (
	"encoding/json"
	"errors"
)

var existsMatcher = &Matcher{
	Name: "exists", Schema: json.RawMessage(`{"type":"boolean"}`),
	Doc: "The value exists (true) or does not exist (false).",
	New: func(arg json.RawMessage) (Accept, error) {
		var want bool
		if json.Unmarshal(arg, &want) != nil {
			return nil, errors.New("expected true or false")
		}
		return func(_ *Context, got json.RawMessage) error {
			switch {
			case want && got == nil:
				return mismatch(nil, "a value")
			case !want && got != nil:
				return mismatch(got, "no value")
			}
			return nil
		}, nil
	},
}

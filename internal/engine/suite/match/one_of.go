package match

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var oneOfMatcher = &Matcher{
	Name: "one_of", Schema: json.RawMessage(`{"type":"array","minItems":1}`),
	Doc: "The value is one of these values.",
	New: func(arg json.RawMessage) (Accept, error) {
		values, err := schema.Elements(arg)
		if err != nil || len(values) == 0 {
			return nil, errors.New("expected a list of values")
		}
		return func(_ *Context, got json.RawMessage) error {
			for _, v := range values {
				if got != nil && Equal(got, v) {
					return nil
				}
			}
			return mismatch(got, "one of %s", clip.Sized(string(arg), MaxDisplayed))
		}, nil
	},
}

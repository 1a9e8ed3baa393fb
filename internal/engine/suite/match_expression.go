package suite

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/expression"
)

var expressionMatcher = &Matcher{
	Name: "expression", Schema: json.RawMessage(`{"type":"string"}`),
	Doc: "The expression, in the language of jq, is true of the value. A text that it gives instead says what is wrong.",
	New: func(arg json.RawMessage) (Accept, error) {
		var source string
		if json.Unmarshal(arg, &source) != nil {
			return nil, errors.New("want an expression as a text, such as .count > 3")
		}
		e, err := expression.Compile(source)
		if err != nil {
			return nil, err
		}
		return func(m *Moment, got json.RawMessage) error {
			if got == nil {
				return mismatch(nil, "a value for which %s holds", source)
			}
			holds, why, err := e.Holds(m.Context, got)
			switch {
			case err != nil:
				return mismatch(got, "a value that %s can be asked of: %v", source, err)
			case !holds:
				return mismatch(got, "a value for which %s holds: %s", source, why)
			}
			return nil
		}, nil
	},
}

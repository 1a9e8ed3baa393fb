package match

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/expression"
)

var expressionMatcher = &Matcher{
	Name: "expression", Schema: json.RawMessage(`{"type":"string"}`),
	Doc: "The jq expression is true for the value. If it returns a string instead, the string is the failure message.",
	New: func(arg json.RawMessage) (Accept, error) {
		var source string
		if json.Unmarshal(arg, &source) != nil {
			return nil, errors.New("expected an expression as a string, such as .count > 3")
		}
		e, err := expression.Compile(source)
		if err != nil {
			return nil, err
		}
		return func(m *Context, got json.RawMessage) error {
			if got == nil {
				return mismatch(nil, "a value for which %s is true", source)
			}
			holds, why, err := e.Holds(m.Context, got)
			switch {
			case err != nil:
				return mismatch(got, "a value that %s can be applied to: %v", source, err)
			case !holds:
				return mismatch(got, "a value for which %s is true: %s", source, why)
			}
			return nil
		}, nil
	},
}

package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var lengthMatcher = &Matcher{
	Name: "length", Schema: json.RawMessage(`{"anyOf":[{"type":"integer","minimum":0},{"type":"object",` +
		`"properties":{"min":{"type":"integer"},"max":{"type":"integer"}},"additionalProperties":false}]}`),
	Doc: "Number of characters of a string, items of a list or members of an object: a number, or min and max.",
	New: func(arg json.RawMessage) (Accept, error) {
		var bounds struct{ Min, Max *int }
		var number int
		if json.Unmarshal(arg, &number) == nil {
			bounds.Min, bounds.Max = &number, &number
		} else if schema.Kind(arg) != '{' || json.Unmarshal(arg, &bounds) != nil ||
			bounds.Min == nil && bounds.Max == nil {
			return nil, errors.New("expected a number, or min and max")
		}
		return func(_ *Context, got json.RawMessage) error {
			n, ok := lengthOf(got)
			switch {
			case !ok:
				return mismatch(got, "a string, a list or an object")
			case bounds.Min != nil && n < *bounds.Min, bounds.Max != nil && n > *bounds.Max:
				return &Mismatch{Got: fmt.Sprintf("length %d: %s", n, showValue(got)), Want: "length " + string(arg)}
			}
			return nil
		}, nil
	},
}

func lengthOf(raw json.RawMessage) (int, bool) {
	switch schema.Kind(raw) {
	case '"':
		return utf8.RuneCountInString(Flat(raw)), true
	case '[':
		items, err := schema.Elements(raw)
		return len(items), err == nil
	case '{':
		members, err := schema.Members(raw)
		return len(members), err == nil
	}
	return 0, false
}

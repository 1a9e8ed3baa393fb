package match

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// defaultTolerance is the default tolerance of a number: a millionth of it.
const defaultTolerance = 1e-6

var approxMatcher = &Matcher{
	Name: "approx", Schema: json.RawMessage(`{"anyOf":[{"type":"number"},{"type":"object",` +
		`"properties":{"value":{"type":"number"},"tolerance":{"type":"number","minimum":0},` +
		`"percent":{"type":"number","minimum":0}},"required":["value"],"additionalProperties":false}]}`),
	Doc: "The number is close to this one: within a millionth of it, or within the given tolerance or percent.",
	New: func(arg json.RawMessage) (Accept, error) {
		var wanted struct {
			Value              *float64
			Tolerance, Percent *float64
		}
		var number float64
		if json.Unmarshal(arg, &number) == nil {
			wanted.Value = &number
		} else if schema.Kind(arg) != '{' || json.Unmarshal(arg, &wanted) != nil || wanted.Value == nil {
			return nil, errors.New("expected a number, or value with tolerance or percent")
		}
		tolerance := math.Abs(*wanted.Value) * defaultTolerance
		if wanted.Tolerance != nil {
			tolerance = *wanted.Tolerance
		} else if wanted.Percent != nil {
			tolerance = math.Abs(*wanted.Value) * *wanted.Percent / 100
		}
		return func(_ *Context, got json.RawMessage) error {
			f, err := strconv.ParseFloat(Flat(got), 64)
			if err != nil || math.Abs(f-*wanted.Value) > tolerance {
				return mismatch(got, "%v ± %v", *wanted.Value, tolerance)
			}
			return nil
		}, nil
	},
}

package echo

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of what is compared.
const (
	roundingShare = 0.01 // numbers in a text may be rounded
	maxNested     = 8
	maxDisplayed  = 100
)

// Contradiction describes the first simple value that differs between structuredContent and the text, and reports whether both have
// the same properties and no such value.
func Contradiction(value, said json.RawMessage) (difference string, equal bool) {
	return contradiction(value, said, "", maxNested)
}

// contradiction describes the first simple value that differs between structuredContent and the text, and reports
// whether both have the same properties and no such value.
func contradiction(value, said json.RawMessage, at string, depth int) (difference string, equal bool) {
	kind := schema.Kind(value)
	if depth == 0 || kind != schema.Kind(said) && (!isBoolean(kind) || !isBoolean(schema.Kind(said))) {
		return "", false
	}
	switch kind {
	case '{':
		members, _ := schema.Members(value)
		others, _ := schema.Members(said)
		equal = len(members) == len(others)
		for _, m := range members {
			in, ok := schema.Get(said, "/"+schema.Token(m.Name))
			if !ok {
				equal = false
				continue
			}
			difference, same := contradiction(m.Value, in, strings.TrimPrefix(at+"."+m.Name, "."), depth-1)
			if difference != "" {
				return difference, false
			}
			equal = equal && same
		}
		return "", equal
	case '[':
		expected, _ := schema.Elements(value)
		got, _ := schema.Elements(said)
		if len(expected) != len(got) {
			return "", false // the text may be a part
		}
		equal = true
		for i := range expected {
			difference, same := contradiction(expected[i], got[i], fmt.Sprintf("%s[%d]", at, i), depth-1)
			if difference != "" {
				return difference, false
			}
			equal = equal && same
		}
		return "", equal
	}
	if sameValue(value, said, kind) {
		return "", true
	}
	if similar(value, said, kind) {
		return "", false
	}
	return fmt.Sprintf("%s is %s in the text and %s in structuredContent", at, clip.Sized(string(said), maxDisplayed),
		clip.Sized(string(value), maxDisplayed)), false
}

func isBoolean(kind byte) bool { return kind == 't' || kind == 'f' }

func sameValue(a, b json.RawMessage, kind byte) bool {
	switch kind {
	case '"':
		return schema.Plain(a) == schema.Plain(b)
	case '0':
		return numberOf(a, 0) == numberOf(b, 1)
	}
	return string(a) == string(b)
}

// similar reports whether a value of a text may be a rounded or shortened form of another.
func similar(value, said json.RawMessage, kind byte) bool {
	switch kind {
	case '"':
		long, short := schema.Plain(value), strings.TrimRight(schema.Plain(said), ". …*")
		return strings.Contains(long, short) || strings.Contains(short, long)
	case '0':
		x, y := numberOf(value, 0), numberOf(said, 0)
		return math.Abs(x-y) <= roundingShare*max(math.Abs(x), math.Abs(y)) || math.Abs(x-y) < 1 && x != math.Trunc(x)
	}
	return false
}

func numberOf(raw json.RawMessage, otherwise float64) float64 {
	if value, err := strconv.ParseFloat(string(raw), 64); err == nil {
		return value
	}
	return otherwise
}

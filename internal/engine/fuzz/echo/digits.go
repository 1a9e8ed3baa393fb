// Package echo compares the values of a response with those of the arguments, which it may repeat changed: rounded, cut, in another
// encoding, as another day, without leading zeros. It also compares values within a response, and between those of a tool.
package echo

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// minDigits is the number of digits from which an integer may lose some as a floating-point number.
const minDigits = 16

// Rounded is an integer as text contains it after it was a floating-point number; empty if it does not, or if the
// number lost nothing.
func Rounded(sent, text string) string {
	float, err := strconv.ParseFloat(sent, 64)
	if err != nil || len(sent) < minDigits || strings.Contains(text, sent) {
		return ""
	}
	for _, precision := range []int{0, -1} { // all digits, as Python and Go have it, or the shortest, as JavaScript has it
		rounded := strconv.FormatFloat(float, 'f', precision, 64)
		if rounded != sent && strings.Contains(text, rounded) {
			return rounded
		}
	}
	return ""
}

// MayBeLimit reports whether an integer is a power of two, as in messages about the limits of a type.
func MayBeLimit(integer string) bool {
	float, err := strconv.ParseFloat(integer, 64)
	fraction, _ := math.Frexp(math.Abs(float))
	return err == nil && fraction == 0.5
}

// Integers lists the arguments that the schema of a tool declares as integers.
func Integers(input json.RawMessage) []string {
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	var all []string
	for _, m := range members {
		if isInteger(m.Value) {
			all = append(all, m.Name)
		}
	}
	return all
}

// isInteger reports whether a schema allows an integer, and no other number: alone, or beside null.
func isInteger(rules json.RawMessage) bool {
	if branches, ok := schema.Get(rules, "/anyOf"); ok {
		list, _ := schema.Elements(branches)
		return slices.ContainsFunc(list, isInteger) && !strings.Contains(string(branches), `"number"`)
	}
	kind, _ := schema.Get(rules, "/type")
	return strings.Contains(string(kind), `"integer"`) && !strings.Contains(string(kind), `"number"`)
}

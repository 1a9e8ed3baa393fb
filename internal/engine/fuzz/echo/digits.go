// Package echo finds values of the arguments that a response repeats changed: rounded, cut, in another encoding, as
// another day, without leading zeros.
package echo

import (
	"math"
	"strconv"
	"strings"
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

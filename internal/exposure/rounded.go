package exposure

import (
	"strconv"
	"strings"
)

// FindRounded returns an integer as text contains it after it was a floating-point number; empty if it does not, or if the
// number lost nothing.
func FindRounded(sent, text string) string {
	float, err := strconv.ParseFloat(sent, 64)
	if err != nil {
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

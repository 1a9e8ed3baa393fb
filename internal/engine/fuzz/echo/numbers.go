package echo

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Limits of the comparison of numbers in a text.
const (
	minNumbers = 3   // different numbers with decimal places: few texts have them by chance
	maxShown   = 120 // bytes of the numbers in a message
)

var (
	decimals = lazyregexp.New(`-?\d[\d,]*\.\d+`)
	// otherForms matches numbers in another form: with an exponent, a unit of thousands, a percent sign or a decimal comma.
	otherForms = lazyregexp.New(`\d[eE][+-]?\d|\d\s?(?:[KkMGT]\b|[KMGT]i?B\b|%|percent)|\d\.\d{3},\d`)
)

// OtherNumbers compares the numbers with decimal places of a result with those of a text for readers. The difference is empty if the
// text has some of them, or if there are too few numbers; equal reports whether it has all of them, perhaps rounded.
func OtherNumbers(data json.RawMessage, text string) (difference string, equal bool) {
	numbers := decimals().FindAllString(string(data), -1)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	shown := decimals().FindAllString(text, -1)
	if len(numbers) < minNumbers || len(shown) < minNumbers || otherForms().MatchString(text) || otherForms().Match(data) {
		return "", false
	}
	found := 0
	for _, n := range numbers {
		if slices.ContainsFunc(shown, func(other string) bool { return isRounded(n, other) }) {
			found++
		}
	}
	if found == 0 {
		difference = "the text has none of the numbers of structuredContent: expected " + numbers[0] + ", got " +
			clip.Text(strings.Join(shown, ", "), maxShown)
	}
	return difference, found == len(numbers)
}

// isRounded reports whether a text shows a number, perhaps with fewer decimal places.
func isRounded(number, shown string) bool {
	a, err := strconv.ParseFloat(number, 64)
	b, other := strconv.ParseFloat(strings.ReplaceAll(shown, ",", ""), 64)
	_, places, _ := strings.Cut(shown, ".")
	return err == nil && other == nil && math.Abs(a-b) <= 0.51*math.Pow10(-len(places))
}

package echo

import (
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// dates matches the days in a text, in the order of ISO 8601.
var dates = lazyregexp.New(`\d{4}-\d{2}-\d{2}`)

// RolledOver returns the day of a month that has no such day, and the day of the next month that a text has instead. Both are
// empty if the text also has the day as it was sent, or a third one: then it may be about other days.
func RolledOver(sent, text string) (impossible, other string) {
	for _, day := range dates().FindAllString(sent, -1) {
		year, month := day[:len("2006-01")], day[len("2006-01-"):]
		first, err := time.Parse("2006-01", year)
		if _, exists := time.Parse(time.DateOnly, day); err != nil || exists == nil || month < "29" || month > "31" {
			continue
		}
		days := int(month[0]-'0')*10 + int(month[1]-'0')
		next := first.AddDate(0, 0, days-1).Format(time.DateOnly)
		found := dates().FindAllString(text, -1)
		if len(found) > 0 && !slices.ContainsFunc(found, func(one string) bool { return one != next }) {
			return day, next
		}
	}
	return "", ""
}

// Lengths of numbers that are not found by chance.
const (
	minPadded   = 5
	minStripped = 4
)

// StripZeros returns the digits of a text without its leading zeros; empty if it has other characters, no such zeros, or too few
// digits to be found by chance.
func StripZeros(sent string) string {
	stripped := strings.TrimLeft(sent, "0")
	if len(sent) < minPadded || len(stripped) < minStripped || stripped == sent || strings.Trim(stripped, "0123456789") != "" {
		return ""
	}
	return stripped
}

// numbers matches the numbers in a text.
var numbers = lazyregexp.New(`[+\d.,]*\d`)

// HasNumber reports whether a text has a number, and not as a part of another one.
func HasNumber(text, number string) bool {
	return slices.Contains(numbers().FindAllString(text, -1), number)
}

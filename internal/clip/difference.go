package clip

import (
	"strconv"
	"unicode/utf8"
)

// Limits of a difference in a message.
const (
	maxDifference = 80 // bytes of each text
	commonBefore  = 20 // bytes that both texts have before it
)

// Differences returns two texts in quotes, from shortly before the first difference, shortened.
func Differences(a, b string) (string, string) {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	short := func(text string) string {
		if same <= commonBefore {
			return strconv.Quote(Text(text, maxDifference))
		}
		from := same - commonBefore
		for from > 0 && !utf8.RuneStart(text[from]) {
			from--
		}
		return strconv.Quote("…" + Text(text[from:], maxDifference))
	}
	return short(a), short(b)
}

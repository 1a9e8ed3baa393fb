// Package volatile finds the values of a response that differ from run to run: IDs, times, durations and ports. A replay
// does not compare them, and a suite made from a recording does not expect them.
package volatile

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// The placeholders of Normalize.
const (
	ID       = "<id>"
	Time     = "<time>"
	Duration = "<duration>"
	Port     = "<port>"
)

// What differs from run to run in a text.
var (
	uuids = lazyregexp.New(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	// a token of letters and digits; isToken decides
	tokens    = lazyregexp.New(`\b[0-9A-Za-z]{16,64}\b`)
	stamps    = lazyregexp.New(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?`)
	dates     = lazyregexp.New(`\b\d{4}-\d\d-\d\d\b|\b\d{1,2}/\d{1,2}/\d{4}\b`)
	clocks    = lazyregexp.New(`\b\d{1,2}:\d\d:\d\d(\.\d+)?([ \x{202f}]?[AP]M)?\b`)
	durations = lazyregexp.New(`\b\d+(\.\d+)? ?(ms|µs|us|ns|milliseconds)\b|\b\d+\.\d+ ?(s|sec|seconds)\b`)
	ports     = lazyregexp.New(`(127\.0\.0\.1|localhost|\[::1\]):\d{4,5}\b`)
	numbers   = lazyregexp.New(`\b\d{10}(\d{3})?\b`)
)

// maxTimeDistance is how far a time may be from that of the run to count as one of the run.
const maxTimeDistance = 36 * time.Hour

// Normalize replaces what differs from run to run in a text of a run at a time by placeholders.
func Normalize(text string, at time.Time) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	text = uuids().ReplaceAllString(text, ID)
	text = stamps().ReplaceAllStringFunc(text, func(s string) string { return timeOr(s, at) })
	text = dates().ReplaceAllStringFunc(text, func(s string) string { return timeOr(s, at) })
	text = clocks().ReplaceAllString(text, Time)
	text = durations().ReplaceAllString(text, Duration)
	text = ports().ReplaceAllString(text, "$1:"+Port)
	text = numbers().ReplaceAllStringFunc(text, func(s string) string {
		if n, err := strconv.ParseFloat(s, 64); err == nil && IsNow(n, at) {
			return Time
		}
		return s
	})
	return tokens().ReplaceAllStringFunc(text, func(s string) string {
		if isToken(s) {
			return ID
		}
		return s
	})
}

// maxLines is how many bytes of lines that differ SameLines normalizes.
const maxLines = 4 << 20

// SameLines reports whether two texts are the same after normalization, line by line: of large texts, most lines are
// equal, and the first difference is the result. Texts with too many different lines are different.
func SameLines(a, b string, before, after time.Time) bool {
	work := 0
	for a != "" || b != "" {
		x, restA, endA := strings.Cut(a, "\n")
		y, restB, endB := strings.Cut(b, "\n")
		if a, b = restA, restB; endA != endB {
			return false
		}
		if x == y {
			continue
		}
		if work += len(x) + len(y); work > maxLines || Normalize(x, before) != Normalize(y, after) {
			return false
		}
	}
	return true
}

// timeOr returns a placeholder for a time near that of the run, and any other text unchanged.
func timeOr(text string, at time.Time) string {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
		"2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		"2006-01-02 15:04", "2006-01-02", "1/2/2006", "2/1/2006"} {
		if when, err := time.Parse(layout, text); err == nil && when.Sub(at).Abs() < maxTimeDistance {
			return Time
		}
	}
	return text
}

// IsNow reports whether a number is the time of the run in seconds or milliseconds.
func IsNow(n float64, at time.Time) bool {
	seconds := float64(at.Unix())
	return math.Abs(n-seconds) < maxTimeDistance.Seconds() || math.Abs(n/1000-seconds) < maxTimeDistance.Seconds()
}

// isToken reports whether a word looks random: hexadecimal digits with letters, or digits with upper and lower case.
func isToken(word string) bool {
	digits := strings.ContainsAny(word, "0123456789")
	lower, upper := strings.ToLower(word) == word, strings.ToUpper(word) == word
	isHex := strings.Trim(strings.ToLower(word), "0123456789abcdef") == ""
	switch {
	case !digits || strings.Trim(word, "0123456789") == "":
		return false
	case isHex:
		return true
	case upper && len(word) == 26: // ULID
		return true
	}
	return !lower && !upper && len(word) >= 20 && strings.Count(digitsOf(word), "") > 3
}

func digitsOf(word string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, word)
}

// IsIDName reports whether a field of this name contains an identifier.
func IsIDName(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case "id", "uuid", "guid", "cursor", "nextcursor", "token", "etag":
		return true
	}
	return strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID") || strings.HasSuffix(lower, "_id")
}

// IDs returns the UUIDs and random words in a text.
func IDs(text string) []string {
	found := uuids().FindAllString(text, -1)
	for _, word := range tokens().FindAllString(uuids().ReplaceAllString(text, " "), -1) {
		if isToken(word) {
			found = append(found, word)
		}
	}
	return found
}

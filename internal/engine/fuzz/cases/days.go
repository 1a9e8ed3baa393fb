package cases

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// noDays are texts of the form of a day that does not exist.
var noDays = map[string]string{"date": `"2025-02-30"`, "date-time": `"2025-02-30T12:00:00Z"`}

// hasNoDay reports whether arguments have a day that does not exist.
func hasNoDay(arguments []byte) bool { return bytes.Contains(arguments, []byte("2025-02-30")) }

// dayWords are in what is said about a text that is a day, or in its pattern.
var dayWords = lazyregexp.New(`(?i)yyyy-mm-dd|\b\d{4}-[01]\d-[0-3]\d\b|\biso(?:[ -]?8601)?[ -]date\b|\\d\{4\}-\\d\{2\}-\\d\{2\}\$?$`)

// impossibleDay is a day that does not exist, for a text that is a day.
func (n *node) impossibleDay() []edit {
	day := n.dayOf(noDays)
	if day == "" {
		return nil
	}
	return first(replace(n, Boundary, "a day that does not exist", day))
}

// longAgo are days for which hardly any tool has data.
var longAgo = map[string]string{"date": `"1900-01-01"`, "date-time": `"1900-01-01T12:00:00Z"`}

// dayLongAgo is such a day for a text that is a day; empty for others.
func (n *node) dayLongAgo() string { return n.dayOf(longAgo) }

// dayOf returns the day in the form of a text that is a day; empty for others.
func (n *node) dayOf(days map[string]string) string {
	if n.kind != '"' || n.rules.Has("enum") || n.rules.Has("const") {
		return ""
	}
	pattern, _ := n.rules.Text("pattern")
	format, ok := n.rules.Text("format")
	day := days[format]
	if !ok && dayWords().MatchString(schema.TextAt(n.rules.Raw, "/description")+"\n"+pattern) {
		day = days["date"]
	}
	if day == "" || !matches(pattern, schema.Plain([]byte(day))) {
		return ""
	}
	return day
}

// padded are digits that begin with zeros, for a text whose pattern allows only digits.
func (n *node) padded() []edit {
	pattern, ok := n.rules.Text("pattern")
	if !ok || n.rules.Has("enum") || n.rules.Has("const") {
		return nil
	}
	const digits = "2134567891"
	for zeros := 1; zeros <= 2; zeros++ {
		for size := 5; size < len(digits); size++ {
			value := strings.Repeat("0", zeros) + digits[:size-zeros]
			if matches(pattern, value) && !matches(pattern, "x"+value) && !matches(pattern, "text") {
				return first(replace(n, Boundary, "digits that begin with 0", string(rawjson.Quote(value))))
			}
		}
	}
	return nil
}

// matches reports whether a text matches the pattern of a schema. Patterns that Go does not know match nothing, and an empty one
// everything.
func matches(pattern, text string) bool {
	compiled, err := regexp.Compile(pattern)
	return err == nil && compiled.MatchString(text)
}

package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// maxOffered is how many values of a text are used.
const maxOffered = 3

const (
	// offeredHandle is a value that looks like an identifier, such as INV-17 or b2.
	offeredHandle = `\b[A-Za-z]{1,12}[-_:#]?\d{1,8}\b`
	offeredQuote  = "\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|`[^`\n]{1,60}`|“[^”\n]{1,60}”"
	offeredValue  = offeredQuote + `|[^\s"'` + "`“”" + `,;()]{1,60}`
	offeredNext   = `(?:,\s*(?:or |and )?|\s+(?:or|and)\s+)`
)

var (
	// handles matches a list of identifiers, wherever it is.
	handles = lazyregexp.New(offeredHandle + `(?:` + offeredNext + offeredHandle + `)+`)
	// offers matches a list of values in the message of an error.
	offers = lazyregexp.New(`(?i)(?:\bare:?|\bone of:?|\beither|\bsuch as|\be\.g\.,?|\btry|:)\s+((?:` + offeredValue + `)(?:` +
		offeredNext + `(?:` + offeredValue + `))*)`)
	oneHandle  = lazyregexp.New(offeredHandle)
	oneOffered = lazyregexp.New(offeredValue)
)

// Listed returns the identifiers that a description lists, as in "number of the invoice: I-1 or I-2".
func Listed(description string) []string {
	return firstOf(oneHandle().FindAllString(handles().FindString(description), -1))
}

// Examples returns the examples that a description gives for a value, and the identifiers that it lists.
func Examples(description string) []string {
	return firstOf(append(Mentioned(description), Listed(description)...))
}

// folders matches the names of arguments that are a folder, or a path in one.
var folders = lazyregexp.New(`^(?:(?:file|folder|target|source|base|root|relative|sub)_?)?(?:path|dir|directory|folder)$`)

// MayBeFolder reports whether an argument, by its name, takes the path of a folder: then "." is the current one.
func MayBeFolder(argument string) bool { return folders().MatchString(Snake(argument)) }

// sides are the words by which the names of two arguments differ that take the same kind of value.
var sides = [][2]string{{"from", "to"}, {"base", "head"}, {"source", "target"}, {"old", "new"}, {"left", "right"}, {"before", "after"},
	{"start", "end"}}

// DefaultOfOther returns the default of the other one of two arguments that take the same kind of value, as in from and to; empty if there
// is none.
func DefaultOfOther(inputSchema json.RawMessage, argument string) string {
	properties, _ := Get(inputSchema, "/properties")
	members, _ := Members(properties)
	for _, m := range members {
		if text := TextAt(m.Value, "/default"); text != "" && slices.ContainsFunc(sides, func(side [2]string) bool {
			return otherSide(m.Name, argument, side[0], side[1]) || otherSide(m.Name, argument, side[1], side[0])
		}) {
			return text
		}
	}
	return ""
}

// otherSide reports whether a name becomes another one if one of its words is replaced.
func otherSide(name, other, from, to string) bool {
	words := strings.Split(Snake(name), "_")
	at := slices.Index(words, from)
	if at < 0 {
		return false
	}
	words[at] = to
	return strings.Join(words, "_") == Snake(other)
}

// Offered returns the values that the message of an error offers: a list such as "I-1 and I-2", or what is quoted after words such as
// "one of".
func Offered(message string) []string {
	if all := Listed(message); len(all) > 0 {
		return all
	}
	var all []string
	for _, found := range offers().FindAllStringSubmatch(message, maxOffered) {
		values := oneOffered().FindAllString(found[1], -1)
		if len(values) < 2 && strings.IndexAny(found[1], "\"'`“") != 0 {
			continue // a single word is seldom a value
		}
		all = append(all, values...)
	}
	return firstOf(all)
}

// firstOf returns the first distinct values without quotation marks and punctuation.
func firstOf(values []string) (all []string) {
	seen := map[string]bool{"": true, "or": true, "and": true}
	for _, v := range values {
		value := strings.TrimRight(strings.Trim(v, "\"'`“”"), ".:!?")
		if !seen[value] && len(all) < maxOffered {
			seen[value] = true
			all = append(all, value)
		}
	}
	return all
}

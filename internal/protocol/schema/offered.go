package schema

import (
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

package words

import "github.com/mcptest-dev/mcptest/internal/lazyregexp"

// IsIdentifier reports whether an argument identifies an item by its name.
func IsIdentifier(argument string) bool { return identifiers().MatchString(argument) }

// LargeInteger returns the first integer of more than 53 bits in a text; empty if there is none.
func LargeInteger(text string) string { return largeIntegers().FindString(text) }

var largeIntegers = lazyregexp.New(`[1-9]\d{15,}`)

// RejectsSize reports whether an error is about the size of a number.
func RejectsSize(said string) bool { return limitWords().MatchString(said) }

// identifiers matches names of arguments that identify an item: another number is another item.
var identifiers = lazyregexp.New(`(?:^|_)(?i:id|key|number|no)s?$|I[dD]s?$`)

// limitWords matches errors about the size of a number, which reject it on purpose.
var limitWords = lazyregexp.New(`(?i)safe|precis|too (?:big|large|high|long)|at most|max|exceed|limit|range|less|greater|` +
	`between|overflow|bits?\b|digits|[<>≤≥]`)

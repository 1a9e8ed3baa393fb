package exposure

import (
	"math"
	"strconv"
)

// The limits that messages state.
var (
	statedRange = compile(`(?i)\b(?:between|from|range|within)\D{0,12}?(-?\d+)(?: and | to |\s?(?:-|–|\.\.)\s?)` +
		`(-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
	statedMost = compile(`(?i)(?:at most|no (?:more|longer|greater|larger) than|exceeds?|up to|<=|≤|less than or equal ` +
		`to|max(?:imum)?(?: (?:is|of|value|length|allowed))*:?) (-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
	statedLeast = compile(`(?i)(?:at least|no (?:less|fewer|shorter|smaller) than|>=|≥|greater than or equal to|` +
		`min(?:imum)?(?: (?:is|of|value|length|allowed))*:?) (-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
)

// The units in which messages state a limit that is not the value of a number, the length of a text or the length of an array.
var (
	notOfNumbers = compile(`(?i)^ ?(?:characters?|chars?|letters|digits|code points)\b`)
	notOfTexts   = compile(`(?i)^ [a-z]`)
	ofTexts      = compile(`(?i)^ (?:characters?|chars?|letters|bytes|code ?points|symbols|long|in|or|and|but|for|got|was)\b`)
	notOfArrays  = compile(`(?i)^ ?(?:characters?|chars?|letters|digits|bytes|code points)\b`)
)

// MeasuresKind reports whether what follows a limit in a message can be the unit of an argument whose JSON is of a kind: "at most 12 digits" is no limit of
// a text.
func MeasuresKind(kind byte, after string) bool {
	switch kind {
	case '0':
		return !notOfNumbers().MatchString(after)
	case '"':
		return !notOfTexts().MatchString(after) || ofTexts().MatchString(after)
	}
	return !notOfArrays().MatchString(after)
}

// FindLimits returns the limits in a message, and what follows each of them; nil if it states none.
func FindLimits(said string) (least, most float64, after []string) {
	least, most = math.Inf(-1), math.Inf(1)
	find := func(limit pattern, numbers ...*float64) bool {
		at := limit().FindStringSubmatchIndex(said)
		for i, number := range numbers {
			if at != nil {
				*number, _ = strconv.ParseFloat(said[at[2*i+2]:at[2*i+3]], 64)
			}
		}
		if at != nil {
			after = append(after, said[at[2*len(numbers)+1]:])
		}
		return at != nil
	}
	if !find(statedRange, &least, &most) {
		find(statedMost, &most)
		find(statedLeast, &least)
	}
	return least, most, after
}

// tooOften matches messages about the number of calls.
var tooOften = compile(`(?i)\brate.?limit|\btoo many (?:requests|calls)|\b(?:requests|calls|times) (?:per|a|an|each) ` +
	`(?:second|minute|hour|day)|\bthrottl|\bquota\b`)

// LimitsCalls reports whether a message is about the number of calls.
func LimitsCalls(message string) bool { return tooOften().MatchString(message) }

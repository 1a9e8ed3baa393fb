package fuzz

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var narrowProperty = &Property{finding.Rule{ID: "FUZZ-026", Severity: finding.Warning,
	Doc: `valid value is rejected by a narrower limit than that of the schema

The schema states a limit for an argument, and the tool rejected a value within it with a message that states a narrower
one. A model that reads the schema uses values that always fail. Change the schema or the code. If the limit depends on
data, such as the number of pages, say so in the description.`}, keepsLimits}

// The limits that messages state.
var (
	statedRange = lazyregexp.New(`(?i)\b(?:between|from|range|within)\D{0,12}?(-?\d+)(?: and | to |\s?(?:-|–|\.\.)\s?)` +
		`(-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
	statedMost = lazyregexp.New(`(?i)(?:at most|no (?:more|longer|greater|larger) than|exceeds?|up to|<=|≤|less than or equal ` +
		`to|max(?:imum)?(?: (?:is|of|value|length|allowed))*:?) (-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
	statedLeast = lazyregexp.New(`(?i)(?:at least|no (?:less|fewer|shorter|smaller) than|>=|≥|greater than or equal to|` +
		`min(?:imum)?(?: (?:is|of|value|length|allowed))*:?) (-?\d+)(?:[^\d.,]|[.,](?:\D|$)|$)`)
)

// The units in which messages state a limit that is not the value of a number, the length of a text or the length of an array.
var (
	notOfNumbers = lazyregexp.New(`(?i)^ ?(?:characters?|chars?|letters|digits|code points)\b`)
	notOfTexts   = lazyregexp.New(`(?i)^ [a-z]`)
	ofTexts      = lazyregexp.New(`(?i)^ (?:characters?|chars?|letters|bytes|code ?points|symbols|long|in|or|and|but|for|got|was)\b`)
	notOfArrays  = lazyregexp.New(`(?i)^ ?(?:characters?|chars?|letters|digits|bytes|code points)\b`)
)

// isUnitOf reports whether what follows a limit in a message can be the unit of an argument: "at most 12 digits" is no limit of
// a text.
func isUnitOf(kind byte, after string) bool {
	switch kind {
	case '0':
		return !notOfNumbers().MatchString(after)
	case '"':
		return !notOfTexts().MatchString(after) || ofTexts().MatchString(after)
	}
	return !notOfArrays().MatchString(after)
}

// tooOften matches messages about the number of calls.
var tooOften = lazyregexp.New(`(?i)\brate.?limit|\btoo many (?:requests|calls)|\b(?:requests|calls|times) (?:per|a|an|each) ` +
	`(?:second|minute|hour|day)|\bthrottl|\bquota\b`)

// keepsLimits holds unless a call that the schema allows fails with a message that states a narrower limit than the
// schema. Differences of one are left to FUZZ-015, which compares two calls.
func keepsLimits(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	said := errorText(s.Exchange.Reply)
	least, most, after := statedLimits(said)
	if after == nil || len(said) > maxDisplayed || tooOften().MatchString(said) {
		return nil
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		foreign := slices.ContainsFunc(after, func(unit string) bool { return !isUnitOf(schema.Kind(m.Value), unit) })
		if foreign || len(members) > 1 && !names(said, m.Name) {
			continue
		}
		size, low, high := s.sizeOf(m)
		if high && size > most+1 || low && size < least-1 {
			return &violation{cause: m.Name, message: fmt.Sprintf("the schema allows %s, and the tool states a narrower "+
				"limit for %s: %s", clip.Sized(string(m.Value), maxDisplayed/4), m.Name, clip.Sized(said, maxDisplayed))}
		}
	}
	return nil
}

// statedLimits are the limits in a message, and what follows each of them; nil if it states none.
func statedLimits(said string) (least, most float64, after []string) {
	least, most = math.Inf(-1), math.Inf(1)
	find := func(pattern func() *regexp.Regexp, numbers ...*float64) bool {
		at := pattern().FindStringSubmatchIndex(said)
		for i, number := range numbers {
			if at != nil {
				*number = parsed(said[at[2*i+2]:at[2*i+3]], *number)
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

func parsed(text string, otherwise float64) float64 {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value
	}
	return otherwise
}

// names reports whether a message has a name as a word.
func names(said, name string) bool {
	return regexp.MustCompile(`(?i)(?:^|[^\w-])` + regexp.QuoteMeta(name) + `(?:$|[^\w-])`).MatchString(said)
}

// sizeOf is the value of a number, the length of a text or an array, and which limits the schema states for it.
func (s *observation) sizeOf(m schema.Member) (size float64, low, high bool) {
	rules, _ := schema.Get(s.input, "/properties/"+schema.Token(m.Name))
	states := func(keywords ...string) bool {
		for _, k := range keywords {
			if _, ok := schema.Get(rules, "/"+k); ok {
				return true
			}
		}
		return false
	}
	switch schema.Kind(m.Value) {
	case '0':
		return parsed(string(m.Value), 0), states("minimum", "exclusiveMinimum"), states("maximum", "exclusiveMaximum")
	case '"':
		return float64(utf8.RuneCountInString(schema.Plain(m.Value))), states("minLength"), states("maxLength")
	case '[':
		items, _ := schema.Elements(m.Value)
		return float64(len(items)), states("minItems"), states("maxItems")
	}
	return 0, false, false
}

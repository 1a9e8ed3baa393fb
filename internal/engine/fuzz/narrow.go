package fuzz

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var narrowProperty = &Property{finding.Rule{ID: "FUZZ-026", Severity: finding.Warning,
	Doc: `valid value is rejected by a narrower limit than that of the schema

The schema states a limit for an argument, and the tool rejected a value within it with a message that states a narrower
one. A model that reads the schema uses values that always fail. Change the schema or the code. If the limit depends on
data, such as the number of pages, say so in the description.`}, keepsLimits}

// keepsLimits holds unless a call that the schema allows fails with a message that states a narrower limit than the
// schema. Differences of one are left to FUZZ-015, which compares two calls.
func keepsLimits(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	said := s.errorText()
	least, most, after := exposure.FindLimits(said)
	if after == nil || len(said) > maxDisplayed || exposure.LimitsCalls(said) {
		return nil
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		foreign := slices.ContainsFunc(after, func(unit string) bool { return !exposure.MeasuresKind(schema.Kind(m.Value), unit) })
		if foreign || len(members) > 1 && !words.HaveName(said, m.Name) {
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

func parsed(text string, otherwise float64) float64 {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value
	}
	return otherwise
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

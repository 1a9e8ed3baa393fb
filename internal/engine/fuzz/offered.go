package fuzz

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// learn uses the values that the message of a rejected call offers in the next calls of a tool that only reads.
func (t *fuzzTarget) learn(step Step, s *observation) {
	if !t.readOnly || t.most > 0 || !step.MayBeValid() || step.Cancel || s.Exchange.Reply.Error != nil || !s.parts().failed {
		return
	}
	said := s.errorText()
	if len(said) > maxDisplayed {
		return
	}
	for _, value := range schema.Offered(said) {
		if !s.sent(value) {
			t.gen.Offer([]string{value})
		}
	}
}

// maxLenders is how many results of a tool are searched for values that other tools take.
const maxLenders = 2

// lend uses what a tool that only reads has returned in the next calls of the others. Tools that write get none of it: they could
// change what exists.
func (r *runner) lend(t *fuzzTarget, s *observation) {
	if !t.readOnly || t.lent == maxLenders || len(r.tools) == 1 || !accepted(s) {
		return
	}
	items := schema.Items(t.name, s.Exchange.Reply.Result)
	if len(items) == 0 {
		return
	}
	t.lent++
	for _, other := range r.tools {
		if other != t && other.readOnly && other.most == 0 {
			other.gen.Lend(items)
		}
	}
}

// nothing matches short texts that say that there is nothing to return.
var nothing = lazyregexp.New(`(?i)\bnot found\b|\bno such\b|\bunknown\b|\bdo(?:es)?(?: not|n't) exist\b|\bnothing\b|\bnone\b|` +
	`\b(?:no|0) (?:[\w-]+ ){0,3}(?:found|match\w*|results?|hits?|available|exists?)\b|\bno \w+ (?:named|called|with|for)\b|` +
	`\b(?:could(?: not|n't)|cannot|can't) find\b`)

// nothingWords are in each match of nothing: most texts have none of them, and the expression is slow.
var nothingWords = []string{"not ", "n't ", "no ", "0 ", "unknown", "nothing", "none", "cannot "}

func saysNothing(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(nothingWords, func(word string) bool { return strings.Contains(lower, word) }) && nothing().MatchString(text)
}

// fruitful reports whether a call succeeded and returned something.
func (s *observation) fruitful() bool {
	if !accepted(s) {
		return false
	}
	data := s.parts().data
	if text := shownText(s.content); data == nil {
		switch {
		case json.Valid([]byte(text)):
			data = json.RawMessage(text)
		case len(text) <= maxDisplayed:
			return !saysNothing(text)
		}
	}
	return !isFruitless(data)
}

// isFruitless reports whether a value has an empty list, or null, and no list with elements.
func isFruitless(data json.RawMessage) bool {
	switch text := strings.TrimSpace(string(data)); text {
	case "null", "[]", "{}":
		return true
	}
	members, _ := schema.Members(data)
	empty := false
	for _, m := range members {
		switch schema.Kind(m.Value) {
		case '[':
			elements, _ := schema.Elements(m.Value)
			if len(elements) > 0 {
				return false
			}
			empty = true
		case 'n':
			empty = empty || m.Name == "result"
		case 'f':
			empty = empty || m.Name == "found"
		}
	}
	return empty
}

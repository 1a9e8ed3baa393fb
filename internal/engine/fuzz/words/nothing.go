package words

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// nothing matches short texts that say that there is nothing to return.
var nothing = lazyregexp.New(`(?i)\bnot found\b|\bno such\b|\bunknown\b|\bdo(?:es)?(?: not|n't) exist\b|\bnothing\b|\bnone\b|` +
	`\b(?:no|0) (?:[\w-]+ ){0,3}(?:found|match\w*|results?|hits?|available|exists?)\b|\bno \w+ (?:named|called|with|for)\b|` +
	`\b(?:could(?: not|n't)|cannot|can't) find\b`)

// nothingParts are in each match of nothing: few texts have one of them, and the expression is slow.
var nothingParts = []string{"not ", "n't ", "no ", "0 ", "unknown", "nothing", "none"}

// SayNothing reports whether a text says that there is nothing to return.
func SayNothing(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(nothingParts, func(part string) bool { return strings.Contains(lower, part) }) && nothing().MatchString(text)
}

// Fruitful reports whether a successful result returns something: neither an empty list nor the news that nothing was found.
func Fruitful(content, data json.RawMessage) bool {
	if text := Shown(content); data == nil {
		switch {
		case json.Valid([]byte(text)):
			data = json.RawMessage(text)
		case len(text) <= MaxMessage:
			return !SayNothing(text)
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

package fuzz

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var numberProperty = &Property{finding.Rule{ID: "FUZZ-022", Severity: finding.Warning,
	Doc: `JSON in the result contains NaN or Infinity

The text of the result is JSON except for NaN or Infinity, which JSON does not have: the average of no values, a division by
zero, a missing value of a table. Python and some other languages write them by default, and parsers of other languages
reject the whole text. Return null or an error.`}, finiteNumbers}

// notNumbers matches strings and, as a group, the words for values that JSON does not have.
var notNumbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|(-?\b(?:NaN|Infinity)\b)`)
})

// finiteNumbers holds unless a text of the result is JSON only if NaN and Infinity are allowed.
func finiteNumbers(s *observation) *violation {
	if !accepted(s) {
		return nil
	}
	text := strings.TrimSpace(s.errorText())
	if !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") {
		return nil
	}
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || json.Valid([]byte(text)) {
		return nil
	}
	word := ""
	repaired := notNumbers().ReplaceAllStringFunc(text, func(found string) string {
		if found[0] == '"' {
			return found
		}
		word = found
		return "0"
	})
	if word == "" || !json.Valid([]byte(repaired)) {
		return nil
	}
	return &violation{cause: "number", message: "text is JSON except for " + word + ": " + clip.Sized(text, maxDisplayed)}
}

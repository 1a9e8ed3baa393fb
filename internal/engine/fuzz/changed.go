package fuzz

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var dayProperty = &Property{finding.Rule{ID: "FUZZ-030", Severity: finding.Warning,
	Doc: `day that does not exist becomes another day

The arguments have a day such as 30 February, and the result is about a day in the next month instead: JavaScript's Date.UTC and
some other functions add the days to the month. A model that made a mistake gets an answer for another day and does not notice.
Compare the parsed day with the text, and return isError if they differ.`}, keepsDays}

// keepsDays holds unless a result is about another day than the arguments, because theirs does not exist.
func keepsDays(s *observation) *violation {
	if !accepted(s) {
		return nil
	}
	day, other := echo.RolledOver(string(s.Case.Arguments), string(s.Exchange.Reply.Result))
	if day == "" || s.sent(other) {
		return nil
	}
	return &violation{cause: "day", message: "the result is about another day: expected an error for " + day + ", got " + other}
}

var zerosProperty = &Property{finding.Rule{ID: "FUZZ-031", Severity: finding.Warning,
	Doc: `text loses its leading zeros

The schema declares a text, the arguments have digits that begin with 0, such as the postal code 02134, and the response repeats
them without the zeros: they were read as a number. The item is not found, or another one is. It is reported only if the
documentation of the argument has the value, or if the schema does not allow it without the zeros. Keep texts as they are.`}, keepsZeros}

// keepsZeros holds unless a response repeats digits of the arguments without their leading zeros.
func keepsZeros(s *observation) *violation {
	if s.converts || s.calculates || !s.responded() || !s.Case.MayBeValid() {
		return nil
	}
	said := string(s.Exchange.Reply.Result)
	if s.Exchange.Reply.Error != nil {
		said = s.errorText()
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		sent := schema.Plain(m.Value)
		stripped := echo.StripZeros(sent)
		if schema.Kind(m.Value) != '"' || stripped == "" || strings.Contains(said, sent) || !echo.HasNumber(said, stripped) ||
			s.sent(`"`+stripped) || !s.needsZeros(m.Name, sent, stripped) {
			continue
		}
		return &violation{cause: "zeros", message: "the response repeats " + m.Name + " without its leading zeros: expected " + sent +
			", got " + stripped}
	}
	return nil
}

// variableZeros matches what is said about texts that mean the same without leading zeros: phone numbers have an international prefix.
var variableZeros = lazyregexp.New(`(?i)leading zero|phone|mobile|\btel\b|gtin|\bean\b|\bupc\b`)

// needsZeros reports whether leading zeros of an argument mean something: its documentation has the value, or its schema does
// not allow the value without them.
func (s *observation) needsZeros(name, sent, stripped string) bool {
	rules, ok := schema.Get(s.input, "/properties/"+schema.Token(name))
	if !ok || variableZeros().MatchString(name+" "+string(rules)) {
		return false
	}
	if strings.Contains(string(rules), sent) {
		return true
	}
	pattern := schema.TextAt(rules, "/pattern")
	compiled, err := schema.Compile(json.RawMessage(`{"pattern":`+string(rawjson.Quote(pattern))+"}"), nil)
	return pattern != "" && err == nil && len(compiled.Validate(json.RawMessage(`"`+stripped+`"`))) > 0
}

// formatFault is the violation of a text that was formatted with verbs of Go which do not fit its values. A text that is long, or
// of a tool about logs or code, may be data that has such text.
func formatFault(s *observation) *violation {
	if !s.responded() || !s.Case.MayBeValid() {
		return nil
	}
	said := s.errorText()
	found := exposure.FindFormatFault(said)
	if found == "" || s.sent("%!") || accepted(s) && (s.foreign || len(said) > maxFormatted) {
		return nil
	}
	return &violation{cause: "format", severity: finding.Warning, message: "text has a fault of its formatting (Go): expected a " +
		"value, got " + found + " in " + clip.Sized(said, maxDisplayed)}
}

// maxFormatted is the length of a result up to which it is a message and not data.
const maxFormatted = 200

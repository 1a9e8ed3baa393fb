package fuzz

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var digitsProperty = &Property{finding.Rule{ID: "FUZZ-023", Severity: finding.Warning,
	Doc: `integer loses digits in the result

The schema allows an integer of more than 53 bits, or a text of its digits, and the result or the error repeats it rounded: it was
read as a floating-point number.
Identifiers of this size are common, and the rounded one belongs to something else. Read it as an integer or as text, or set
a maximum of 9007199254740991 in the schema.`}, preservesDigits}

// preservesDigits holds unless a response repeats a large integer of the arguments rounded.
func preservesDigits(s *observation) *violation {
	if !s.responded() || !s.Case.MayBeValid() || words.LargeInteger(string(s.Case.Arguments)) == "" {
		return nil
	}
	where, said := "result", string(s.Exchange.Reply.Result)
	if !accepted(s) {
		where, said = "error", s.errorText()
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		sent := string(m.Value)
		if text, isText := schema.Text(m.Value); isText && words.LargeInteger(text) == text && words.IsIdentifier(m.Name) {
			sent = text // identifiers of this size are texts in JSON
		} else if !slices.Contains(s.integers, m.Name) {
			continue
		}
		rounded := echo.Rounded(sent, said)
		if rounded == "" || where == "error" && (echo.MayBeLimit(rounded) || words.RejectsSize(said)) {
			continue
		}
		b := &violation{cause: "digits", message: "the " + where + " repeats " + m.Name + " rounded: expected " + sent + ", got " +
			rounded}
		if where == "error" && !words.IsIdentifier(m.Name) {
			b.severity = finding.Info // such a quantity is hardly ever meant
		}
		return b
	}
	return nil
}

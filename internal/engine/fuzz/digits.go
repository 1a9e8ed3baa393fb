package fuzz

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
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
	if !s.responded() || !s.Case.MayBeValid() || !largeInteger().Match(s.Case.Arguments) {
		return nil
	}
	where, said := "result", string(s.Exchange.Reply.Result)
	if !accepted(s) {
		where, said = "error", s.errorText()
	}
	members, _ := schema.Members(s.Case.Arguments)
	for _, m := range members {
		sent := string(m.Value)
		if text, isText := schema.Text(m.Value); isText && largeInteger().FindString(text) == text {
			sent = text // identifiers of this size are texts in JSON
		} else if !slices.Contains(s.integers, m.Name) {
			continue
		}
		rounded := echo.Rounded(sent, said)
		if rounded == "" || where == "error" && (echo.MayBeLimit(rounded) || limitWords().MatchString(said)) {
			continue
		}
		b := &violation{cause: "digits", message: "the " + where + " repeats " + m.Name + " rounded: expected " + sent + ", got " +
			rounded}
		if where == "error" && !identifiers().MatchString(m.Name) {
			b.severity = finding.Info // such a quantity is hardly ever meant
		}
		return b
	}
	return nil
}

// largeInteger matches integers of more than 53 bits.
var largeInteger = lazyregexp.New(`[1-9]\d{15,}`)

// identifiers matches names of arguments that identify an item: another number is another item.
var identifiers = lazyregexp.New(`(?:^|_)(?i:id|key|number|no)s?$|I[dD]s?$`)

// limitWords matches errors about the size of a number, which reject it on purpose.
var limitWords = lazyregexp.New(`(?i)safe|precis|too (?:big|large|high|long)|at most|max|exceed|limit|range|less|greater|` +
	`between|overflow|bits?\b|digits|[<>≤≥]`)

package fuzz

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// pasted is the violation of an argument that becomes part of code: a text with a quotation mark or a bracket causes a syntax
// error of an interpreter, the same text without it does not, and neither does one in which it is doubled, escaped or closed.
func (r *runner) pasted(ctx context.Context, t *fuzzTarget, step Step, s *observation, call caller) *violation {
	found, ok := s.syntaxError()
	if !ok || t.most > 0 || step.Cancel || !step.MayBeValid() || found.Language == "SQL" && t.takesSQL {
		return nil
	}
	members, _ := schema.Members(step.Arguments)
	for _, m := range members {
		if schema.Kind(m.Value) != '"' || len(cases.Marks(schema.Plain(m.Value))) == 0 || t.takesCode(m.Name) {
			continue
		}
		key := "pasted " + m.Name + " " + found.Language
		if t.compares(key) {
			if b := comparePasted(ctx, t, step, m, call); b != nil {
				t.breaches[key] = b
				return b
			}
		} else if b := t.breaches[key]; b != nil {
			return b // the same error again
		}
	}
	return nil
}

// mayHidePasted reports whether a rule is about how an exception is shown, and not about its cause.
func mayHidePasted(rule string) bool {
	return rule == "FUZZ-005" || rule == "FUZZ-007" || rule == "FUZZ-014" || rule == unflaggedProperty.ID
}

// syntaxError is the syntax error of an interpreter in a failure. In the results of a search, it is data.
func (s *observation) syntaxError() (exposure.SyntaxError, bool) {
	if !s.responded() || len(cases.Marks(cases.Unquoted(s.Case.Arguments))) == 0 {
		return exposure.SyntaxError{}, false
	}
	said := s.errorText()
	if accepted(s) && exposure.FindFailure(said) == "" {
		return exposure.SyntaxError{}, false
	}
	found, ok := exposure.FindSyntaxError(said)
	return found, ok && !s.sent(found.Found) && !strings.Contains(cases.Unquoted(s.Case.Arguments), found.Found)
}

// breaksCode reports whether a response has a syntax error, whatever was sent.
func (s *observation) breaksCode() bool {
	_, ok := exposure.FindSyntaxError(s.errorText())
	return ok
}

// takesCode reports whether the tool says that an argument is code, a query, an expression or a pattern.
func (t *fuzzTarget) takesCode(argument string) bool {
	return t.calculates || exposure.TakesCode(t.name, schema.TextAt(t.raw, "/description"), argument,
		schema.TextAt(t.input, "/properties/"+schema.Token(argument)+"/description"))
}

// comparePasted makes the calls that show which character of an argument is read as code, and then tries to prove it.
func comparePasted(ctx context.Context, t *fuzzTarget, step Step, m schema.Member, call caller) *violation {
	try := func(text string) (*observation, bool) {
		c, ok := t.variant(step.Case, schema.Member{Name: m.Name, Value: json.RawMessage(rawjson.Quote(text))})
		if !ok {
			return &observation{}, false
		}
		s := call(ctx, t, Step{Case: c}, nil)
		return s, s.responded()
	}
	for _, plain := range cases.PlainTexts {
		without, ok := try(plain)
		if !ok {
			continue
		}
		if without.breaksCode() {
			return nil // every text causes it
		}
		for _, mark := range cases.Marks(schema.Plain(m.Value)) {
			s, _ := try(plain + mark)
			found, ok := s.syntaxError()
			if !ok {
				continue
			}
			for _, harmless := range cases.HarmlessForms(mark) {
				if again, ok := try(plain + harmless); ok && !again.breaksCode() {
					b := pastedViolation(ctx, t, s, m.Name, plain, mark, found, call)
					b.compared = without.Exchange
					return b
				}
			}
		}
		return nil
	}
	return nil
}

// pastedViolation describes what the calls have shown. It is as severe as an executed argument only if a condition in the text is
// evaluated.
func pastedViolation(ctx context.Context, t *fuzzTarget, s *observation, name, plain, mark string, found exposure.SyntaxError,
	call caller) *violation {
	cause, is := "pasted", "part of "+found.Language+" code"
	if found.Language == "SQL" {
		cause, is = "statement", "part of an SQL statement"
	}
	if condition := t.provesPasted(ctx, s, name, plain, mark, call); condition != "" {
		return &violation{cause: cause, message: "an argument is " + is + ": the result depends on whether the condition in " +
			clip.Sized(condition, maxDisplayed) + " is true (" + cases.Condition + ") or false (" + trueAndFalse[0] + ")"}
	}
	return &violation{cause: cause, severity: finding.Error, message: "an argument is " + is + ": " + plain + mark +
		" causes its syntax error, " + plain + " does not: " + clip.Sized(found.Found, maxDisplayed)}
}

// provesPasted returns a text with a condition that the tool evaluates; empty if none is known. Where a tool writes, or the server
// is shared, none is sent.
func (t *fuzzTarget) provesPasted(ctx context.Context, s *observation, name, plain, mark string, call caller) string {
	if !t.readOnly || t.gentle {
		return ""
	}
	for _, text := range cases.Conditions(plain, mark) {
		c, ok := t.variant(s.Case, schema.Member{Name: name, Value: json.RawMessage(rawjson.Quote(text))})
		if !ok {
			continue
		}
		if again := call(ctx, t, Step{Case: c}, nil); accepted(again) && dependsOnCondition(ctx, t, Step{Case: c}, again, call) {
			return text
		}
	}
	return ""
}

package fuzz

import (
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// raisesNothing is satisfied unless a call that the schema allows fails with an exception that a framework wrapped into
// a result with isError.
func raisesNothing(s *observation) *violation {
	if !s.Case.MayBeValid() || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	if b := formatFault(s); b != nil {
		return b
	}
	said := s.errorText()
	if s.Case.Allowed && exposure.HidesException(said, s.Case.Tool) {
		return &violation{cause: hidden, severity: finding.Warning,
			message: "a valid call failed with an exception, of which the SDK shows only: " + clip.Sized(said, maxDisplayed)}
	}
	found, ok := exposure.FindException(said)
	if !ok || s.sent(found.Found) || found.Name == exposure.InvalidExpression && s.patterns {
		return nil
	}
	if s.calculates && found.Reworded(said, s.Case.Tool) && exposure.DividesByZero(said, string(s.Case.Arguments)) {
		return nil // the tool says so in its own words
	}
	if !found.Sure && (s.language || found.Reworded(said, s.Case.Tool)) {
		return nil // it may be about the value, and the handler says so
	}
	if s.Case.Unclear {
		return s.raisesOnFormat(found)
	}
	b := &violation{cause: found.Language + " " + found.Name,
		message: "a valid call failed with an exception (" + found.Language + " " + found.Name + "): " +
			clip.Sized(said, maxDisplayed)}
	if !found.Sure {
		b.severity = finding.Warning
	}
	return b
}

// takesLanguages reports whether one of the texts that a tool takes is in a language, such as JSON or SQL: that the schema
// allows a text does not make it valid then.
func (t *fuzzTarget) takesLanguages() bool {
	return slices.ContainsFunc(t.properties, func(name string) bool {
		kind := schema.TextAt(t.input, "/properties/"+schema.Token(name)+"/type")
		return (kind == "string" || kind == "") && t.takesCode(name)
	})
}

// hidden is the cause of an exception that an SDK hides from clients.
const hidden = "hidden exception"

// stderrWaits is how often stderr is read again, and stderrWait the time between: it may arrive after the response.
const (
	stderrWaits = 5
	stderrWait  = 50 * time.Millisecond
)

// reveal makes a hidden exception an error if the server wrote to stderr that it is a bug of the program: in the session
// that was opened last, in which only the smallest call was made, or before that.
func (r *runner) reveal(f *Found, before string) {
	for range stderrWaits {
		if r.session == nil || f.logged(r.session.Stderr()) {
			return
		}
		time.Sleep(stderrWait)
	}
	f.logged(before)
}

// logged adds the exception in stderr to a defect, and reports whether there is one.
func (f *Found) logged(stderr string) bool {
	raised, ok := exposure.FindLogged(stderr)
	if !ok {
		return false
	}
	f.Breach += "; stderr: " + clip.Sized(raised.Found, maxDisplayed)
	if raised.Sure {
		f.Severity = f.Rule.Severity
	}
	return true
}

// raisesOnFormat is the violation of a text that does not match its format and causes an exception which is not about the
// value.
func (s *observation) raisesOnFormat(found exposure.Exception) *violation {
	if !found.Sure {
		return nil
	}
	return &violation{cause: "format " + found.Language + " " + found.Name, severity: finding.Warning,
		message: "a call with a text that does not match its format failed with an exception (" + found.Language + " " +
			found.Name + "): " + clip.Sized(s.errorText(), maxDisplayed)}
}

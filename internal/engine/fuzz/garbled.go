package fuzz

import (
	"bytes"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var garbledProperty = &Property{finding.Rule{ID: "FUZZ-017", Severity: finding.Error,
	Doc: `text is garbled in the result

The arguments contain letters beyond ASCII, and the result repeats them damaged: cut inside a character (U+FFFD or half of
a surrogate pair), read in another encoding (Ã© for é), or as question marks. Names and texts in most languages come out
wrong. Or $$ in a text becomes $: the text was passed as the replacement to a function that interprets $$ and $&, such as
String.replace of JavaScript. Tools for replacements and templates are not reported for that. Use UTF-8 throughout, and cut texts between characters. If a text of the server itself was read in another encoding, it is
a warning: several letters such as Ã© in it, and no correct one. Tools that say that they convert text, for example to ASCII,
are not checked.`}, preservesLetters}

// preservesLetters holds unless a result repeats text of the arguments in a damaged form.
func preservesLetters(s *observation) *violation {
	if s.converts || !accepted(s) {
		return nil
	}
	result := s.Exchange.Reply.Result
	if !s.patterns && !echo.Substitutes(s.Case.Tool, s.properties) && echo.IsInterpreted(s.Case.Arguments, result) {
		return &violation{cause: "replacement", message: "signs of a replacement in a text are interpreted: expected $$, got $ in " +
			clip.Sized(s.errorText(), maxDisplayed)}
	}
	if !echo.HasLetters(s.Case.Arguments) {
		return s.misreadText()
	}
	if bytes.Contains(s.Case.Arguments, []byte("\uFFFD")) {
		return nil
	}
	said := s.errorText()
	for _, sent := range echo.Texts(s.Case.Arguments) {
		if how := echo.Damage(sent, said, result); how != "" {
			return &violation{cause: how, message: "the result repeats a text of the arguments garbled (" + how +
				"): " + clip.Sized(said, maxDisplayed)}
		}
	}
	return nil
}

// misreadText is the violation of a text of the server, and not of the arguments, whose UTF-8 was read in another encoding.
// A tool that returns what others wrote is not responsible for it.
func (s *observation) misreadText() *violation {
	result := s.Exchange.Reply.Result
	if s.foreign || !echo.HasLetters(result) {
		return nil
	}
	found, meant := echo.Misread(echo.Texts(result))
	if found == "" {
		return nil
	}
	return &violation{cause: "stored", severity: finding.Warning, message: "text was read in another encoding than UTF-8: expected " +
		clip.Sized(meant, maxDisplayed/4) + ", got " + clip.Sized(found, maxDisplayed/4)}
}

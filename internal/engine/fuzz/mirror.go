package fuzz

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var mirrorProperty = &Property{finding.Rule{ID: "FUZZ-029", Severity: finding.Warning,
	Doc: `text of the result contradicts structuredContent

The text of the result is JSON with another value than structuredContent has for the same property, although both were equal
in another call of the tool; or it is a text for readers that has all numbers of structuredContent in another call, and none in
this one. Clients pass one or the other to the model, so that some read a wrong result. If the text is
that of an earlier call, the finding is an error: the text is cached without regard to the arguments. Create both from the
same value.`}, mirrors}

// Limits of what is compared.
const (
	maxTexts    = 64   // texts of a tool that are remembered
	maxMirrored = 4000 // bytes of such a text
)

// A mirror is what is known about a tool that repeats structuredContent as text.
type mirror struct {
	texts   []string // of calls in which both were equal
	numbers bool     // a text for readers had all numbers of structuredContent in a call
}

// mirrors holds unless a text contradicts structuredContent, and was equal to it in another call.
func mirrors(s *observation) *violation {
	if s.mirror == nil || !s.responded() || !accepted(s) || schema.Kind(s.parts().data) != '{' {
		return nil
	}
	text := s.errorText() // the same blocks as those of an error
	if b := s.mirror.readable(s.data, text); b != nil {
		return b
	}
	if len(text) > maxMirrored || !json.Valid([]byte(text)) || schema.Kind(json.RawMessage(text)) != '{' {
		return nil
	}
	difference, equal := echo.Contradiction(s.data, json.RawMessage(text))
	known := slices.Contains(s.mirror.texts, text)
	switch {
	case difference == "" && equal && !known && len(s.mirror.texts) < maxTexts:
		s.mirror.texts = append(s.mirror.texts, text)
		return nil
	case difference == "" || len(s.mirror.texts) == 0:
		return nil
	case known:
		return &violation{cause: "stale", severity: finding.Error,
			message: "the text is that of an earlier call: " + difference}
	}
	return &violation{cause: "values", message: difference}
}

// readable is the violation of a text for readers that has other numbers than structuredContent, if it had all of them in another call.
func (m *mirror) readable(data json.RawMessage, text string) *violation {
	if len(text) > maxMirrored || len(data) > maxMirrored || json.Valid([]byte(text)) {
		return nil
	}
	difference, equal := echo.OtherNumbers(data, text)
	m.numbers = m.numbers || equal
	if difference == "" || !m.numbers {
		return nil
	}
	return &violation{cause: "numbers", message: difference}
}

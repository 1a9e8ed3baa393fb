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
in another call of the tool. Clients pass one or the other to the model, so that some read a wrong result. If the text is
that of an earlier call, the finding is an error: the text is cached without regard to the arguments. Create both from the
same value.`}, mirrors}

// Limits of what is compared.
const (
	maxTexts    = 64   // texts of a tool that are remembered
	maxMirrored = 4000 // bytes of such a text
)

// A mirror is what is known about a tool that repeats structuredContent as text.
type mirror struct {
	texts []string // of calls in which both were equal
}

// mirrors holds unless a text contradicts structuredContent, and was equal to it in another call.
func mirrors(s *observation) *violation {
	if s.mirror == nil || !s.responded() || !accepted(s) || schema.Kind(s.parts().data) != '{' {
		return nil
	}
	text := s.errorText() // the same blocks as those of an error
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

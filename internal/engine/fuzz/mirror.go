package fuzz

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
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
	maxTexts      = 64   // texts of a tool that are remembered
	maxMirrored   = 4000 // bytes of such a text
	roundingShare = 0.01 // numbers in a text may be rounded
	maxNested     = 8
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
	text := errorText(s.Exchange.Reply) // the same blocks as those of an error
	if len(text) > maxMirrored || !json.Valid([]byte(text)) || schema.Kind(json.RawMessage(text)) != '{' {
		return nil
	}
	difference, equal := contradiction(s.data, json.RawMessage(text), "", maxNested)
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

// contradiction describes the first simple value that differs between structuredContent and the text, and reports
// whether both have the same properties and no such value.
func contradiction(value, said json.RawMessage, at string, depth int) (difference string, equal bool) {
	kind := schema.Kind(value)
	if depth == 0 || kind != schema.Kind(said) && (!isBoolean(kind) || !isBoolean(schema.Kind(said))) {
		return "", false
	}
	switch kind {
	case '{':
		members, _ := schema.Members(value)
		others, _ := schema.Members(said)
		equal = len(members) == len(others)
		for _, m := range members {
			in, ok := schema.Get(said, "/"+schema.Token(m.Name))
			if !ok {
				equal = false
				continue
			}
			difference, same := contradiction(m.Value, in, strings.TrimPrefix(at+"."+m.Name, "."), depth-1)
			if difference != "" {
				return difference, false
			}
			equal = equal && same
		}
		return "", equal
	case '[':
		expected, _ := schema.Elements(value)
		got, _ := schema.Elements(said)
		if len(expected) != len(got) {
			return "", false // the text may be a part
		}
		equal = true
		for i := range expected {
			difference, same := contradiction(expected[i], got[i], fmt.Sprintf("%s[%d]", at, i), depth-1)
			if difference != "" {
				return difference, false
			}
			equal = equal && same
		}
		return "", equal
	}
	if sameValue(value, said, kind) {
		return "", true
	}
	if similar(value, said, kind) {
		return "", false
	}
	return fmt.Sprintf("%s is %s in the text and %s in structuredContent", at, clip.Sized(string(said), maxDisplayed/4),
		clip.Sized(string(value), maxDisplayed/4)), false
}

func isBoolean(kind byte) bool { return kind == 't' || kind == 'f' }

func sameValue(a, b json.RawMessage, kind byte) bool {
	switch kind {
	case '"':
		return schema.Plain(a) == schema.Plain(b)
	case '0':
		return parsed(string(a), 0) == parsed(string(b), 1)
	}
	return string(a) == string(b)
}

// similar reports whether a value of a text may be a rounded or shortened form of another.
func similar(value, said json.RawMessage, kind byte) bool {
	switch kind {
	case '"':
		long, short := schema.Plain(value), strings.TrimRight(schema.Plain(said), ". …*")
		return strings.Contains(long, short) || strings.Contains(short, long)
	case '0':
		x, y := parsed(string(value), 0), parsed(string(said), 0)
		return math.Abs(x-y) <= roundingShare*max(math.Abs(x), math.Abs(y)) || math.Abs(x-y) < 1 && x != math.Trunc(x)
	}
	return false
}

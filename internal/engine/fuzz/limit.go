package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// atLimit repeats a call that failed at a limit of the schema with a value just inside. If that works, the schema and
// the server disagree about the limit.
func (r *runner) atLimit(ctx context.Context, t *fuzzTarget, step Step, s *observation) *violation {
	if !step.Allowed || step.Inside == nil || s.Exchange == nil || s.Exchange.Reply == nil ||
		s.Exchange.Reply.Error != nil || !s.parts().failed {
		return nil
	}
	inner := cases.Case{Tool: step.Tool, Arguments: step.Inside, Kind: cases.Boundary}
	if t.gen.Validate(&inner); !inner.Allowed {
		return nil
	}
	if again := r.send(ctx, t, Step{Case: inner}, nil); !again.responded() || !accepted(again) {
		return nil
	}
	said := clip.Sized(errorText(s.Exchange.Reply), maxDisplayed)
	name, value, inside := changedMember(step.Arguments, step.Inside)
	if other := r.worksInASCII(ctx, t, step, name, value); other != "" {
		return &violation{cause: "limit", message: name + " = " + other + " works, and as many letters beyond ASCII fail, " +
			displayValue(value) + ", so that the limit counts bytes: " + said}
	}
	what := "a value at the limit of the schema fails (" + said + "), one just inside works"
	if name != "" {
		what += ": " + name + " = " + displayValue(value) + " and " + displayValue(inside)
	}
	return &violation{cause: "limit", message: what}
}

// worksInASCII returns the text of as many ASCII letters as a value has letters beyond ASCII, if the call succeeds with it: then the
// server counts bytes. It is empty for other values.
func (r *runner) worksInASCII(ctx context.Context, t *fuzzTarget, step Step, name string, value json.RawMessage) string {
	text := schema.Plain(value)
	letters := utf8.RuneCountInString(text)
	if schema.Kind(value) != '"' || letters == len(text) {
		return ""
	}
	ascii := json.RawMessage(rawjson.Quote(strings.Repeat("a", letters)))
	c, ok := t.variant(step.Case, schema.Member{Name: name, Value: ascii})
	if !ok {
		return ""
	}
	if again := r.send(ctx, t, Step{Case: c}, nil); !again.responded() || !accepted(again) {
		return ""
	}
	return displayValue(ascii)
}

// changedMember is the argument in which two calls differ, with both values; empty if it is not exactly one.
func changedMember(arguments, others json.RawMessage) (name string, value, other json.RawMessage) {
	members, _ := schema.Members(arguments)
	for _, m := range members {
		in, ok := schema.Get(others, "/"+schema.Token(m.Name))
		if ok && bytes.Equal(in, m.Value) {
			continue
		}
		if name != "" || !ok {
			return "", nil, nil
		}
		name, value, other = m.Name, m.Value, in
	}
	return name, value, other
}

// displayValue is a value for a message: a text of one repeated letter as the letter and how often it is repeated.
func displayValue(value json.RawMessage) string {
	text := schema.Plain(value)
	first, _ := utf8.DecodeRuneInString(text)
	if letters := utf8.RuneCountInString(text); schema.Kind(value) == '"' && letters > fewLetters &&
		text == strings.Repeat(string(first), letters) {
		return fmt.Sprintf("%q × %d", string(first), letters)
	}
	return clip.Sized(string(value), maxDisplayed/4)
}

// fewLetters is how many equal letters are shown as they are.
const fewLetters = 20

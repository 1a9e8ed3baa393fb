package fuzz

import (
	"context"
	"encoding/json"
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
	said := clip.Sized(s.errorText(), maxDisplayed)
	name, value, inside := cases.Changed(step.Arguments, step.Inside)
	if parallel := cases.Parallel(step.Arguments, name, inside); parallel != nil {
		same := cases.Case{Tool: step.Tool, Arguments: parallel, Kind: cases.Boundary}
		if again := r.send(ctx, t, Step{Case: same}, nil); again.responded() && accepted(again) {
			return nil // the lists belong together
		}
	}
	if other := r.worksInASCII(ctx, t, step, name, value); other != "" {
		return &violation{cause: "limit", message: name + " = " + other + " works, and as many letters beyond ASCII fail, " +
			cases.Display(value) + ", so that the limit counts bytes: " + said}
	}
	what := "a value at the limit of the schema fails (" + said + "), one just inside works"
	if name != "" {
		what += ": " + name + " = " + cases.Display(value) + " and " + cases.Display(inside)
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
	return cases.Display(ascii)
}

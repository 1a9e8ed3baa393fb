package fuzz

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// coercion is the cause of the violation of a value that was converted without loss.
const coercion = "coercion"

// confirmed returns a violation after calls that show what its cause is; nil if it is none.
func (r *runner) confirmed(ctx context.Context, t *fuzzTarget, step Step, b *violation,
	call func(context.Context, *fuzzTarget, Step, func()) *observation) *violation {
	switch {
	case b == nil || t.spentCalls():
		return b
	case b.cause == coercion:
		return r.onlyBoolean(ctx, t, step, b, call)
	case b.cause == template:
		// a tool may find or show the text of a class for any argument
		other := cases.Case{Tool: step.Tool, Arguments: cases.WithoutAttribute(step.Arguments), Kind: step.Kind}
		t.gen.Validate(&other)
		if s := call(ctx, t, Step{Case: other}, nil); s.responded() && showsClass(s) {
			return nil
		}
	}
	return b
}

// onlyBoolean replaces the note about a boolean that was accepted as a number with a warning, if the tool rejects a number as text in the
// same place: it checks types, and takes true for a number because its language does. In Python, a bool is an int.
func (r *runner) onlyBoolean(ctx context.Context, t *fuzzTarget, step Step, b *violation,
	call func(context.Context, *fuzzTarget, Step, func()) *observation) *violation {
	name := cases.BooleanNumber(step.Arguments, t.input)
	if name == "" {
		return b
	}
	text, err := schema.Apply(step.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage(`"1"`)}})
	if err != nil {
		return b
	}
	c := cases.Case{Tool: step.Tool, Arguments: text, Kind: step.Kind}
	t.gen.Validate(&c)
	s := call(ctx, t, Step{Case: c}, nil)
	if !s.responded() || accepted(s) || exposure.LimitsCalls(s.errorText()) {
		return b
	}
	return &violation{cause: "boolean", severity: finding.Warning, message: "accepted a boolean as a number, but rejected a number as text: " +
		step.Violates}
}

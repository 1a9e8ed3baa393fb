package fuzz

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// coercion is the cause of the violation of a value that was converted without loss.
const coercion = "coercion"

// onlyBoolean replaces the note about a boolean that was accepted as a number with a warning, if the tool rejects a number as text in the
// same place: it checks types, and takes true for a number because its language does. In Python, a bool is an int.
func (r *runner) onlyBoolean(ctx context.Context, t *fuzzTarget, step Step, b *violation,
	call func(context.Context, *fuzzTarget, Step, func()) *observation) *violation {
	if b == nil || b.cause != coercion || t.spentCalls() {
		return b
	}
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
	if !s.responded() || accepted(s) {
		return b
	}
	return &violation{cause: "boolean", severity: finding.Warning, message: "accepted a boolean as a number, and rejects a number as text: " +
		step.Violates}
}

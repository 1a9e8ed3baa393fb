package fuzz

import (
	"bytes"
	"context"
	"math/bits"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// trueAndFalse replace the condition of a text. They consist of the same characters, so that a tool which counts,
// searches or repeats them returns the same for the true and the false ones. Two false ones come before the other true
// one: a server whose results alternate does not follow this order.
var trueAndFalse = []string{"7>8", "8<7", "8>7"} // false, false, true

// comparisons matches the comparison in a result that repeats the text, also escaped.
var comparisons = lazyregexp.New(`(?i)[78](?:[<>]|&[lg]t;|\\u003[ce]|%3[ce])[78]`)

// A caller makes a call.
type caller func(context.Context, *fuzzTarget, Step, func()) *observation

// decides compares the results of a text with a condition that is true with those that are false. If all true ones agree
// and all false ones do, but not with each other, the tool evaluated the condition.
func decides(ctx context.Context, t *fuzzTarget, step Step, s *observation, call caller) *violation {
	arguments := bytes.ReplaceAll(step.Arguments, []byte(`\u003c`), []byte("<")) // as files of defects have it
	if !t.readOnly || t.most > 0 || t.takesSQL || !step.MayBeValid() || step.Cancel || !accepted(s) ||
		!bytes.Contains(arguments, []byte(" OR "+cases.Condition)) {
		return nil
	}
	if !dependsOnCondition(ctx, t, step, s, call) {
		return nil
	}
	return &violation{cause: "condition", message: "an argument is part of an SQL statement: the result depends on " +
		"whether the condition in it is true (" + cases.Condition + ") or false (" + trueAndFalse[0] + ")"}
}

// conditionCalls is how often a condition is sent again once its results agree: a coin may do so a few times.
const conditionCalls = 16

// dependsOnCondition reports whether a tool evaluates the condition in its arguments.
func dependsOnCondition(ctx context.Context, t *fuzzTarget, step Step, s *observation, call caller) bool {
	arguments := bytes.ReplaceAll(step.Arguments, []byte(`\u003c`), []byte("<"))
	whenTrue, whenFalse := s.withoutComparison(), ""
	agrees := func(condition string, isTrue bool) bool {
		c := cases.Case{Tool: step.Tool, Kind: step.Kind,
			Arguments: bytes.ReplaceAll(arguments, []byte(cases.Condition), []byte(condition))}
		if t.gen.Validate(&c); !c.MayBeValid() {
			return false
		}
		again := call(ctx, t, Step{Case: c}, nil)
		if !again.responded() {
			return false
		}
		got := again.withoutComparison()
		if whenFalse == "" && !isTrue {
			whenFalse = got
		}
		return whenTrue != whenFalse && (isTrue && got == whenTrue || !isTrue && got == whenFalse)
	}
	for i, other := range trueAndFalse {
		if !agrees(other, i == 2) {
			return false
		}
	}
	for i := range conditionCalls { // in an order that no alternating results follow
		if isTrue := bits.OnesCount(uint(i))%2 == 0; !agrees(trueAndFalse[map[bool]int{true: 2}[isTrue]], isTrue) {
			return false
		}
	}
	return true
}

// withoutComparison is what a result says, except for the comparison that was sent.
func (s *observation) withoutComparison() string {
	state := "ok "
	if !accepted(s) {
		state = "failed "
	}
	data, _ := schema.Get(s.Exchange.Reply.Result, "/structuredContent")
	return comparisons().ReplaceAllString(state+s.errorText()+string(data), "#")
}

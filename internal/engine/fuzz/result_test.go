package fuzz

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
)

// The calls of a finding are complete, or absent: a part of them does not show the defect.
func TestCallsOfFinding(t *testing.T) {
	step := func(arguments string) Step {
		return Step{Case: cases.Case{Tool: "work", Arguments: json.RawMessage(arguments)}}
	}
	often, cancelled, frame := step(`{"b":2}`), step(`{}`), step(`"x"`)
	often.Times, cancelled.Cancel, frame.Kind = 3, true, frameKind
	long := step(`{"a":"` + strings.Repeat("x", maxDisplayed) + `"}`)
	for name, c := range map[string]struct {
		steps []Step
		want  string
	}{
		"one":       {[]Step{step(`{"a":1}`)}, `[{"tool":"work","arguments":{"a":1}}]`},
		"sequence":  {[]Step{step(`{}`), often}, `[{"tool":"work","arguments":{}},{"tool":"work","arguments":{"b":2},"times":3}]`},
		"cancelled": {[]Step{step(`{}`), cancelled}, `null`},
		"frame":     {[]Step{frame}, `null`},
		"long":      {[]Step{step(`{}`), long}, `null`},
	} {
		got, err := json.Marshal((&Found{Steps: c.steps}).finding().Calls)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s (%v), expected %s", name, got, err, c.want)
		}
	}
}

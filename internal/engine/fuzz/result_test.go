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

// A hang after other calls names them and their number, and says what to do if they failed.
func TestCallsBeforeAHang(t *testing.T) {
	step := func(tool string, times int) Step {
		return Step{Case: cases.Case{Tool: tool, Arguments: json.RawMessage(`{}`)}, Times: times}
	}
	const advice = "; release locks and connections also if a call fails (finally, defer)"
	for _, c := range []struct {
		steps  []Step
		failed int
		want   string
	}{
		{[]Step{step("list", 0)}, 0, "no response"},
		{[]Step{step("get", 0), step("list", 0)}, 0, "no response after another call: get {}"},
		{[]Step{step("get", 0), step("list", 0)}, 1, "no response after another call that failed: get {}" + advice},
		{[]Step{step("get", 3), step("list", 0)}, 3, "no response after 3 calls of get that failed: get {}" + advice},
		{[]Step{step("get", 3), step("list", 0)}, 1, "no response after 3 calls of get: get {}"},
		{[]Step{step("get", 3), step("list", 0)}, 2, "no response after 3 calls of get, 2 of which failed: get {}" + advice},
		{[]Step{step("put", 1), step("get", 1), step("list", 0)}, 2, "no response after 2 other calls that failed: get {}" + advice},
	} {
		f := &Found{Rule: ruleOf("FUZZ-002"), Breach: "no response", Steps: c.steps, FailedBefore: c.failed}
		if got := f.finding().Message; got != c.want {
			t.Errorf("got %q, expected %q", got, c.want)
		}
	}
}

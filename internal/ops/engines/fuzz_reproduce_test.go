package engines

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A defect that needs several calls has a command, too: its message names the calls before the last one.
func TestReproduceAfterCalls(t *testing.T) {
	step := fuzz.Step{Case: cases.Case{Tool: "get", Arguments: json.RawMessage(`{}`)}}
	rule := finding.Rule{ID: "FUZZ-002"}
	report := &finding.Report{Results: []finding.Result{{Findings: []finding.Finding{{Rule: rule.ID,
		Message: "no response after another call: get {}"}}}}}
	in := &FuzzInput{}
	in.Command = []string{"node", "server.js"}
	in.Reproduce(&fuzz.Result{Report: report, Found: []*fuzz.Found{{Rule: rule, Breach: "no response",
		Steps: []fuzz.Step{step, step}}}}, fuzz.Options{Seed: 1, Cases: 300})
	got := report.Results[0].Findings[0].Reproduce
	if want := "mcptest fuzz --seed 1 --cases 300"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}

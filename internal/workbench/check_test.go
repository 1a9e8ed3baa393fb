package workbench

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// What makes a check fail is told, also where no finding tells of it.
func TestCheckTellsWhatWasNotFinished(t *testing.T) {
	c := &checking{in: &CheckInput{}, result: &CheckResult{}, report: &finding.Report{Metrics: map[string]float64{}, Results: []finding.Result{
		{Rule: "A-001"}, {Rule: "A-002", Broken: "the time was over"}, {Rule: "A-003", Broken: "the same"},
	}}}
	c.conclude()
	got := strings.Join(c.result.NotTested, "\n")
	if want := "2 checks that could not be finished, which counts as a failure; the first is A-002: the time was over (--budget gives more time)"; got != want {
		t.Errorf("not tested: %q, want %q", got, want)
	}
}

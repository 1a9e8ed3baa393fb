package suiterun

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A test that wants a grade does not pass on a part of the checks.
func TestNoGradeOfAPart(t *testing.T) {
	judged := func(broken string) map[string]any {
		r := &finding.Report{Metrics: map[string]float64{"score": 95},
			Results: []finding.Result{{Rule: "LIFE-001"}, {Rule: "LIFE-002", Broken: broken}}}
		return conformFigures(&conform.Outcome{Report: r, Grade: "A", Score: 95})
	}
	if got := judged("no result within 5s"); got["grade"] != "A" || got["score"] != 95.0 {
		t.Errorf("grade %v, score %v of a whole run; want A and 95", got["grade"], got["score"])
	}
	if got := judged("tools/list: time limit reached"); got["grade"] != nil || got["score"] != nil {
		t.Errorf("grade %v, score %v of a part of a run; want none", got["grade"], got["score"])
	}
}

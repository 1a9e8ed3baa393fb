package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestTrend gives each test a history: p passed, f failed, b broken, s skipped, r passed after a retry, - not run.
func TestTrend(t *testing.T) {
	histories := map[string]string{"steady": "pppp", "new failure": "ppff", "fresh": "pppf", "fixed": "ffbp",
		"flaky": "pfpp", "retried": "rppp", "late": "---f", "gap": "p-sf", "gone": "pf--", "<b>": "fppp"}
	var reports []*finding.Report
	for i := range 4 {
		r := &finding.Report{Engine: "suite", Started: time.Unix(int64(1000+i), 0)}
		for _, name := range []string{"steady", "new failure", "fresh", "fixed", "flaky", "retried", "late", "gap", "gone", "<b>"} {
			result := finding.Result{Name: name, Attempts: 1, Elapsed: time.Millisecond}
			switch histories[name][i] {
			case '-':
				continue
			case 'f':
				result.Findings = []finding.Finding{{Rule: "suite/expectation", Severity: finding.Error}}
			case 'b':
				result.Broken = "no connection"
			case 's':
				result.Skipped = "later"
			case 'r':
				result.Attempts = 2
			}
			r.Results = append(r.Results, result)
		}
		reports = append([]*finding.Report{r}, reports...) // the order is that of their start
	}
	got := NewTrend(reports)
	for _, row := range []struct {
		what      string
		got, want []string
	}{
		{"newly failing", got.NewlyFailing, []string{"fresh", "gap"}},
		{"fixed", got.Fixed, []string{"fixed"}},
		{"flaky", got.Flaky, []string{"flaky", "retried"}},
	} {
		if diff := cmp.Diff(row.want, row.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.what, diff)
		}
	}
	want := TrendRun{Started: time.Unix(1003, 0), Tests: 9, Passed: 5, Failed: 4, Duration: 9}
	if diff := cmp.Diff(want, got.Runs[3]); diff != "" {
		t.Errorf("last run (-want +got):\n%s", diff)
	}
	var page bytes.Buffer
	if err := WriteTrend(&page, "html", got); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "<td><b>") || !strings.Contains(page.String(), "&lt;b&gt;") {
		t.Error("the page has the name of a test as markup, or not at all")
	}
}

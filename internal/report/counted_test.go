package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestNotCounted shows a report whose findings are all no reason to fail: no format may call anything a failure.
func TestNotCounted(t *testing.T) {
	r := &finding.Report{Engine: "lint", Target: "demo", Results: []finding.Result{
		{Name: "a", Findings: []finding.Finding{
			{Rule: "anthropic/tool-name", Severity: finding.Error, Message: "the name is refused",
				Where: finding.Location{Subject: "a"}},
			{Rule: "QUAL-001", Severity: finding.Warning, Message: "one word", Where: finding.Location{Subject: "a"}},
		}},
		{Name: "b"},
	}}
	none := &Options{Counts: func(finding.Finding) bool { return false }}
	for format, want := range map[string]struct{ has, lacks []string }{
		"text": {[]string{"(error)     anthropic/tool-name",
			"1 error, 1 warning (2 not counted); 2 passed, 0 failed"}, nil},
		"json": {[]string{`"failed": 0`, `"not_counted": 2`, `"not_counted": true`, `"status": "passed"`},
			[]string{`"status": "failed"`}},
		"junit":    {[]string{`failures="0"`, "<system-out>error anthropic/tool-name"}, []string{"<failure"}},
		"sarif":    {[]string{`"level": "note"`}, []string{`"level": "error"`, `"level": "warning"`}},
		"markdown": {[]string{"| error, not counted |", "0 failed"}, nil},
		"github":   {[]string{"::notice title=anthropic", "0 failed"}, []string{"::error", "::warning"}},
	} {
		got := render(t, format, r, none)
		for _, text := range want.has {
			if !strings.Contains(got, text) {
				t.Errorf("%s lacks %q:\n%s", format, text, got)
			}
		}
		for _, text := range want.lacks {
			if strings.Contains(got, text) {
				t.Errorf("%s has %q:\n%s", format, text, got)
			}
		}
	}
}

// TestSomeCounted has one finding of each kind in one result: it fails for the one that counts, and keeps the other.
func TestSomeCounted(t *testing.T) {
	r := &finding.Report{Results: []finding.Result{{Name: "a", Findings: []finding.Finding{
		{Rule: "QUAL-001", Severity: finding.Warning, Message: "one word"},
		{Rule: "SCH-003", Severity: finding.Critical, Message: "anything goes"},
	}}}}
	o := &Options{Counts: func(f finding.Finding) bool { return f.Severity == finding.Critical }}
	if s := Summarize(r, o); s.Failed != 1 || s.Passed != 0 || s.NotCounted != 1 || s.Warning != 1 || s.Critical != 1 {
		t.Errorf("summary %+v", s)
	}
	junit := render(t, "junit", r, o)
	if !strings.Contains(junit, `<failure message="anything goes" type="SCH-003">`) ||
		!strings.Contains(junit, "<system-out>warning QUAL-001") {
		t.Errorf("junit:\n%s", junit)
	}
	var parsed struct {
		Results []struct {
			Findings []struct {
				Rule       string
				NotCounted bool `json:"not_counted"`
			}
		}
	}
	if err := json.Unmarshal([]byte(render(t, "json", r, o)), &parsed); err != nil {
		t.Fatal(err)
	}
	if got := parsed.Results[0].Findings; len(got) != 2 || !got[0].NotCounted || got[1].NotCounted {
		t.Errorf("findings %+v, want the first not counted", got)
	}
}

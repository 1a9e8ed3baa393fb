package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// The lines of a unified diff have colors and are not wrapped; lines of other text that look like them have none.
func TestDiffInColor(t *testing.T) {
	long := strings.Repeat("word ", 30)
	r := &finding.Report{Results: []finding.Result{{Findings: []finding.Finding{{Rule: "suite/expectation",
		Severity: finding.Error, Where: finding.Location{Subject: "test"},
		Message: "text: expectation failed\n- not a diff\nthe text differs:\n--- expected\n+++ got\n@@ -1 +1 @@\n-" + long +
			"\n+new\nafter\n+ not a diff",
		Evidence: []string{"call: x"}}}}}}
	var out bytes.Buffer
	if err := Write(&out, "text", r, &Options{Color: true, Width: 80}); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{"\x1b[31m-" + long + "\x1b[0m", "\x1b[32m+new\x1b[0m", "\x1b[36m@@ -1 +1 @@\x1b[0m"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	for _, other := range []string{"m- not a diff", "m+ not a diff", "mafter"} {
		if strings.Contains(got, other) {
			t.Errorf("got %q, want no color for %q", got, other)
		}
	}
}

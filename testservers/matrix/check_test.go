package matrix

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"testing"
)

// TestCheck runs check on the server of each SDK, which has no fault of its own: errors that the SDK causes are
// attributed to it, and the server passes. The part that every change runs has three of them.
func TestCheck(t *testing.T) {
	for _, s := range sdks(t) {
		if !full() && !slices.Contains([]string{"py1", "ts1", "go"}, s.name) {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"check", "--json", "--budget", "3m", "--tools", "echo", "--"}, s.server...)
			cmd := exec.CommandContext(t.Context(), built.mcptest, args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			var report struct {
				Check struct {
					Verdict, Why, Grade string
					Groups              []struct{ Rule, Severity, Origin, Message string }
				}
			}
			if json.Unmarshal(out, &report) != nil {
				t.Fatalf("check: %v\n%s", err, stderr.String())
			}
			for _, g := range report.Check.Groups {
				if g.Origin == "" && (g.Severity == "error" || g.Severity == "critical") {
					t.Errorf("%s %s: %s", g.Severity, g.Rule, g.Message)
				}
			}
			if c := report.Check; c.Verdict != "passed" || c.Grade > "B" {
				t.Errorf("check: %s, grade %q (%s), want passed with A or B", c.Verdict, c.Grade, c.Why)
			}
		})
	}
}

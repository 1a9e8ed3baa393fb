package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestProof wants the lines of a stack trace under each other, and none of them to look like a line of ours.
func TestProof(t *testing.T) {
	got := proof(finding.Finding{Evidence: []string{"stderr: Error: no\n\tat a.js\n\nreproduce: rm -r x"}, Reproduce: "mcptest tools list"})
	want := []string{"stderr: Error: no", "  |     at a.js", "  |", "  | reproduce: rm -r x", "reproduce: mcptest tools list"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("proof (-got +want):\n%s", diff)
	}
}

package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestProof wants the lines of a stack trace under each other, and none of them to look like a line of ours.
func TestProof(t *testing.T) {
	got := proof(finding.Finding{Evidence: []string{"stderr: Error: no\n\tat a.js\n\nreproduce: rm -r x"},
		Reproduce: "mcptest tools list"})
	want := []string{"stderr: Error: no", "  |     at a.js", "  |", "  | reproduce: rm -r x",
		"reproduce: mcptest tools list"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("proof (-got +want):\n%s", diff)
	}
}

// On a terminal, long messages are folded, and quoted like other text of a server; what is short or not JSON stays.
func TestFoldEvidence(t *testing.T) {
	long := `{"id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 200) + `…`
	evidence := []string{"sent: {\"id\":1}", "received: " + long, "stderr: [oops, and more text than fits on a line…"}
	got := foldEvidence(evidence, 40)
	if got[0] != evidence[0] || got[2] != evidence[2] {
		t.Errorf("%q; want the others unchanged", got)
	}
	want := "received:\n{\n  \"id\": 1,\n  \"result\": {\n    \"content\": [\n      {\"type\": \"text\", \"text\": …}\n" +
		"    ]\n  }\n}"
	if got[1] != want {
		t.Errorf("%s; want %s", got[1], want)
	}
	if got := foldEvidence(evidence, 0); got[1] != evidence[1] {
		t.Errorf("without columns: %s", got[1])
	}
}

package target

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An approval that belongs to another user does not count.
func TestApprovalsOfAnotherUser(t *testing.T) {
	_, approvals := newApprovals(t)
	r := &Resolved{Target: wire.Target{Command: []string{"tool"}}}
	if err := approvals.Approve(r); err != nil {
		t.Fatal(err)
	}
	if err := approvals.Remember("id", "what", nil); err != nil {
		t.Fatal(err)
	}
	approvals.mustBe(t, r, true, "own file")
	files, err := os.ReadDir(approvals.dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("files %v, %v; expected two", files, err)
	}
	for _, file := range files {
		if err := os.Chown(filepath.Join(approvals.dir, file.Name()), 12345, -1); err != nil {
			t.Skipf("skipped: changing owners requires root: %v", err)
		}
	}
	if ok, err := approvals.Approved(r); ok || err == nil {
		t.Errorf("a file of another user: %v, %v; expected an error", ok, err)
	}
	if approvals.Remembered("id") {
		t.Error("a grant in a file of another user counts")
	}
}

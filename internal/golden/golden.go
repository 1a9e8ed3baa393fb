// Package golden compares what tests make with the files that are committed. It is for tests.
package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Check compares a file with what should be in it. With update it is written first.
func Check(t testing.TB, path, want string, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("%v; run the test with -update", err)
		return
	}
	if diff := cmp.Diff(want, strings.ReplaceAll(string(got), "\r\n", "\n")); diff != "" {
		t.Errorf("%s is out of date; run the test with -update (-want +got):\n%s", path, diff)
	}
}

// CheckPages compares the pages of a directory, by name, with what should be in them. Others must not be there, but for
// those that are kept.
func CheckPages(t testing.TB, dir string, want map[string]string, update bool, keep ...string) {
	t.Helper()
	for name, text := range want {
		Check(t, filepath.Join(dir, name), text, update)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range keep {
		want[name] = "kept"
	}
	for _, path := range files {
		if want[filepath.Base(path)] == "" {
			t.Errorf("%s documents nothing that there is", path)
		}
	}
}

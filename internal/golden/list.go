package golden

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// CheckList compares the list of an engine's rules with what tools/rulelist makes of copies of the engine's sources,
// which are in the current directory.
func CheckList(t testing.TB, list string, options ...string) {
	t.Helper()
	dir := t.TempDir()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), read(t, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tool := append([]string{"run", "../../../tools/rulelist", "-dir", dir}, options...)
	if out, err := exec.Command("go", tool...).CombinedOutput(); err != nil {
		t.Fatalf("rulelist: %v\n%s", err, out)
	}
	if diff := cmp.Diff(string(read(t, filepath.Join(dir, list))), string(read(t, list))); diff != "" {
		t.Errorf("%s is out of date; run go generate in its directory (-want +got):\n%s", list, diff)
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

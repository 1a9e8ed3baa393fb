package lint

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExample pins the example of the autofix byte for byte.
func TestExample(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "examples", "tool-schema-lint")
	loose, err := os.ReadFile(filepath.Join(dir, "tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCatalog(loose, "tools.json")
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := Fix(c, Strict)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "tools.fixed.json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("Fix of the example (-want +got):\n%s", cmp.Diff(string(want), string(got)))
	}
}

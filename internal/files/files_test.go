package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, c := range []struct {
		content string
		mode    fs.FileMode
	}{{"first, and longer", 0o600}, {"second", 0o640}} {
		if err := Replace(path, []byte(c.content), c.mode); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != c.content {
			t.Errorf("content %q, expected %q", got, c.content)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != c.mode && runtime.GOOS != "windows" {
			t.Errorf("mode %o, expected %o", got, c.mode)
		}
	}
	onlyFile(t, path)
}

// A reader that opened the file before keeps the old content: the file is replaced, not rewritten.
func TestReplaceKeepsOpenContent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced")
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := Replace(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := Replace(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 10)
	n, err := file.Read(buffer)
	if err != nil || string(buffer[:n]) != "old" {
		t.Errorf("the open file has %q (%v), expected the old content", buffer[:n], err)
	}
}

// A write that fails leaves no temporary file, and its error names the file that the caller named.
func TestReplaceFails(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing", "a")
	for _, path := range []string{taken, missing} {
		err := Replace(path, []byte("x"), 0o600)
		named, ok := errors.AsType[*fs.PathError](err)
		if !ok || named.Path != path || strings.Contains(err.Error(), ".mcptest-") {
			t.Errorf("Replace(%s): %v, expected an error about this path only", path, err)
		}
	}
	onlyFile(t, taken)
}

func onlyFile(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("files %v, expected only %s", entries, filepath.Base(path))
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

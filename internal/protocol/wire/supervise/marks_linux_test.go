package supervise

import (
	"os"
	"path/filepath"
	"testing"
)

// The last one who uses a file of locks deletes it, and no one uses a deleted one.
func TestDeleteUnused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcptest-1.lock")
	open := func() *os.File {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	exists := func() bool { _, err := os.Stat(path); return err == nil }
	first, second, third := open(), open(), open()
	if !Use(first.Fd()) || !Use(second.Fd()) {
		t.Fatal("two cannot use the file")
	}
	if DeleteUnused(first.Fd()); !exists() {
		t.Error("deleted while the second uses it")
	}
	if DeleteUnused(second.Fd()); exists() {
		t.Error("not deleted after the last use")
	}
	if Use(third.Fd()) {
		t.Error("a deleted file can be used")
	}
	if file := open(); !Use(file.Fd()) {
		t.Error("a new file cannot be used")
	}
}

// Another file is never deleted, whoever uses it.
func TestDeletesOnlyLocks(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "mcptest-data.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	DeleteUnused(file.Fd())
	if _, err := os.Stat(file.Name()); err != nil {
		t.Error(err)
	}
}

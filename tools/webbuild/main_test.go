package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const web = "../../web"

// What is committed must be what the sources make.
func TestDistIsBuiltFromTheSources(t *testing.T) {
	requireModules(t)
	files, err := bundle(web)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(web, "dist"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		got, err := os.ReadFile(filepath.Join(web, "dist", entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if want, ok := files[entry.Name()]; !ok || !bytes.Equal(got, want) {
			t.Errorf("web/dist/%s is not what the sources make; run go run ./tools/webbuild", entry.Name())
		}
		delete(files, entry.Name())
	}
	for name := range files {
		t.Errorf("web/dist has no %s; run go run ./tools/webbuild", name)
	}
}

func TestTypes(t *testing.T) {
	requireModules(t)
	if err := typecheck(web); err != nil {
		t.Error(err)
	}
}

func requireModules(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(web, "node_modules", "preact")); err == nil {
		return
	}
	const missing = "left out: needs `npm ci` in web"
	if os.Getenv("MCPTEST_REQUIRE_BROWSER") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
}

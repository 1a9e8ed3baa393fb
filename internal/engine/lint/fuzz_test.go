package lint

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzLint holds that nothing a file or a server says can crash a run or a fix, and that a fix of any catalog is a
// catalog that needs no more fixing.
func FuzzLint(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".json") {
				f.Add(file.Data)
			}
		}
	}
	opts := &Options{Hosts: []string{"all"}}
	f.Fuzz(func(t *testing.T, data []byte) {
		RunTools(context.Background(), "server", splitLines(data), opts)
		c, err := ReadCatalog(data, "file")
		if err != nil {
			return
		}
		Run(context.Background(), c, opts)
		for _, mode := range Modes() {
			fuzzFix(t, c, mode)
		}
	})
}

func fuzzFix(t *testing.T, c *Catalog, mode Mode) {
	fixed, _, err := Fix(c, mode)
	if err != nil {
		t.Fatalf("Fix(%s): %v", mode, err)
	}
	after, err := ReadCatalog(fixed, "fixed")
	if err != nil {
		t.Fatalf("Fix(%s) gives no catalog: %v\n%s", mode, err, fixed)
	}
	if again, _, err := Fix(after, mode); err != nil || string(again) != string(fixed) {
		t.Errorf("fixing twice (%s) changes %s\nto %s (%v)", mode, fixed, again, err)
	}
}

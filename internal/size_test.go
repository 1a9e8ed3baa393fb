package internal

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The maximum sizes, in lines. A package with more has more than one idea.
const (
	maxPackage  = 5000 // without tests
	maxMedian   = 110  // the median of all files
	maxFunction = 30   // 90 percent of all functions have fewer
)

// large are the packages that may have more: lists of rules with one file each.
var large = []string{"internal/engine/conform", "internal/engine/lint"}

func TestPackagesAreSmall(t *testing.T) {
	lines := map[string]int{}
	for _, s := range sources(t) {
		lines[s.pkg] += s.lines
	}
	for pkg, n := range lines {
		if n > maxPackage && !slices.Contains(large, pkg) {
			t.Errorf("%s has %d lines without tests, expected at most %d; split it", pkg, n, maxPackage)
		}
	}
	for _, pkg := range large {
		if lines[pkg] <= maxPackage {
			t.Errorf("%s has %d lines without tests; remove it from the packages that may have more than %d", pkg,
				lines[pkg], maxPackage)
		}
	}
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	var files, functions []int
	for _, s := range sources(t) {
		files = append(files, s.lines)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, s.file, s.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				functions = append(functions, set.Position(f.End()).Line-set.Position(f.Pos()).Line+1)
			}
		}
	}
	slices.Sort(files)
	slices.Sort(functions)
	if median := files[len(files)/2]; median >= maxMedian {
		t.Errorf("the median file has %d lines, expected fewer than %d", median, maxMedian)
	}
	if p90 := functions[len(functions)*9/10]; p90 >= maxFunction {
		t.Errorf("the 90th percentile of functions has %d lines, expected fewer than %d", p90, maxFunction)
	}
	t.Logf("%d files, median %d lines; %d functions, 90th percentile %d lines", len(files), files[len(files)/2],
		len(functions), functions[len(functions)*9/10])
}

// A source is a file that is not a test, and not a copy of what others wrote.
type source struct {
	file, pkg string
	text      []byte
	lines     int
}

func sources(t *testing.T) (all []source) {
	t.Helper()
	for _, root := range []string{".", "../cmd", "../web", "../tools"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" ||
				path.Join("internal", filepath.ToSlash(name)) == thirdParty):
				return filepath.SkipDir
			case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(name)
			pkg := path.Dir(path.Join("internal", filepath.ToSlash(name)))
			all = append(all, source{name, pkg, text, bytes.Count(text, []byte("\n"))})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 500 {
		t.Fatalf("found %d files, expected those of the whole module", len(all))
	}
	return all
}

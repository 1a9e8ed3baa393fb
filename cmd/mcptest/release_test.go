package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// What a release stamps must exist: the linker says nothing about a variable that it does not find.
func TestReleaseStampsWhatExists(t *testing.T) {
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Builds []struct {
			Goos, Goarch, Flags, Ldflags []string
		}
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
	if len(release.Builds) != 1 || len(release.Builds[0].Goos) != 3 || len(release.Builds[0].Goarch) != 2 ||
		release.Builds[0].Flags[0] != "-trimpath" {
		t.Fatalf("builds: %+v; want three systems, two processors, -trimpath", release.Builds)
	}
	stamps := regexp.MustCompile(`-X github\.com/mcptest-dev/mcptest/([\w/]+)\.(\w+)=`).FindAllStringSubmatch(strings.Join(release.Builds[0].Ldflags, "\n"), -1)
	if len(stamps) != 3 {
		t.Errorf("%d stamps; want version, commit and date", len(stamps))
	}
	for _, stamp := range stamps {
		if !declares(t, filepath.Join("..", "..", filepath.FromSlash(stamp[1])), stamp[2]) {
			t.Errorf("%s has no variable %s", stamp[1], stamp[2])
		}
	}
}

// declares reports whether a package declares a variable.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if object := file.Scope.Lookup(name); object != nil && object.Kind == ast.Var {
			// enough for a variable of the package
			return true
		}
	}
	return false
}

package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the want section of the files in testdata")

// Each file in testdata is a machine: its comment holds "goos", "dir", "config" and "env" lines, its files lie under
// home and project, and the section want is what Load says and what every entry expands to.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { testMachine(t, file) })
	}
}

func testMachine(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	want := -1
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = i
			continue
		}
		write(t, filepath.Join(root, f.Name), strings.ReplaceAll(string(f.Data), "$ROOT", filepath.ToSlash(root)))
	}
	sys, config := machine(root, string(archive.Comment))
	got := strings.ReplaceAll(show(sys, config), root, "$ROOT")
	if want < 0 {
		t.Fatal("no section want")
	}
	if *update {
		archive.Files[want].Data = []byte(got)
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(got, string(archive.Files[want].Data)); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

func machine(root, settings string) (sys System, config string) {
	env := map[string]string{}
	sys = System{GOOS: "linux", Home: filepath.Join(root, "home"), Dir: filepath.Join(root, "project")}
	for line := range strings.Lines(settings) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "goos":
			sys.GOOS = value
		case "dir":
			sys.Dir = filepath.Join(root, value)
		case "config":
			config = value
		case "env":
			name, text, _ := strings.Cut(value, "=")
			env[name] = strings.ReplaceAll(text, "$ROOT", root)
		}
	}
	sys.Lookup = func(name string) (string, bool) {
		value, set := env[name]
		return value, set
	}
	return sys, config
}

func show(sys System, config string) string {
	var out strings.Builder
	catalog, err := Load(sys, config)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	for _, e := range catalog.Entries {
		fmt.Fprintf(&out, "%v\n  at %s:%d:%d", e, e.File, e.Line, e.Column)
		if e.Disabled {
			out.WriteString(", disabled")
		}
		out.WriteString("\n")
		expanded, err := e.Expand(sys)
		if err != nil {
			fmt.Fprintf(&out, "  error: %v\n", err)
			continue
		}
		fmt.Fprintf(&out, "  type %q command %q args %q url %q cwd %q\n", expanded.Type, expanded.Command,
			expanded.Args, expanded.URL, expanded.Cwd)
		if e.Startup > 0 {
			fmt.Fprintf(&out, "  startup %s\n", e.Startup)
		}
		for _, v := range append(expanded.Env, expanded.Headers...) {
			fmt.Fprintf(&out, "  %s = %s\n", v.Name, v.Value)
		}
	}
	for _, problem := range catalog.Problems {
		fmt.Fprintf(&out, "problem: %v\n", problem)
	}
	return out.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

package lint

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var update = flag.Bool("update", false, "write goldens, docs and the examples anew")

// TestRules runs each rule on its golden: fires.json must give what want says, quiet.json nothing. A golden may set
// the protocol revision in a file of that name, and may spread catalogs over servers as fires/NAME.json.
func TestRules(t *testing.T) {
	for _, rule := range Rules() {
		t.Run(rule.ID, func(t *testing.T) { testGolden(t, rule) })
	}
}

func testGolden(t *testing.T, rule *Rule) {
	path := filepath.Join("testdata", "rules", stem(rule.ID)+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opts := &Options{Rules: []string{rule.ID}, Protocol: strings.TrimSpace(fileOf(archive, "protocol"))}
	if err := opts.Validate(); err != nil {
		t.Fatal(err)
	}
	got := show(Run(context.Background(), catalogOf(t, archive, "fires"), opts))
	if got == "" {
		t.Errorf("%s: the rule does not fire", path)
	}
	if quiet := show(Run(context.Background(), catalogOf(t, archive, "quiet"), opts)); quiet != "" {
		t.Errorf("%s: the rule fires where it should be quiet:\n%s", path, quiet)
	}
	if *update {
		setFile(archive, "want", got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(fileOf(archive, "want"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestGoldensHaveRules finds goldens whose rule is gone.
func TestGoldensHaveRules(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "rules", "*.txtar"))
	if err != nil || len(paths) != len(Rules()) {
		t.Errorf("%d goldens, %d rules (%v)", len(paths), len(Rules()), err)
	}
}

func stem(id string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", "/", "_").Replace(id))
}

func fileOf(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setFile(archive *txtar.Archive, name, text string) {
	for i := range archive.Files {
		if archive.Files[i].Name == name {
			archive.Files[i].Data = []byte(text)
			return
		}
	}
	archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

func catalogOf(t *testing.T, archive *txtar.Archive, which string) *Catalog {
	t.Helper()
	var servers []*Catalog
	for _, f := range archive.Files {
		server, ok := strings.CutPrefix(f.Name, which+"/")
		if f.Name != which+".json" && !ok {
			continue
		}
		c, err := ReadDefinitions(f.Data, strings.TrimSuffix(server, ".json"))
		if err != nil && strings.Contains(err.Error(), "duplicate key") {
			c, err = NewCatalog("", splitLines(f.Data)), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == which+".json" {
			return c
		}
		servers = append(servers, c)
	}
	if len(servers) == 0 {
		t.Fatalf("the golden has no %s.json", which)
	}
	return Join(servers...)
}

// show renders findings as a person reads them in a golden.
func show(report *finding.Report) string {
	var b strings.Builder
	for _, f := range report.Findings() {
		fmt.Fprintf(&b, "%s %s %s: %s\n", f.Severity, f.Where.Subject, f.Where.Pointer, f.Message)
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				fmt.Fprintf(&b, "\tfix: %s %s = %s\n", fix.Message, e.Pointer, e.Value)
			}
		}
	}
	return b.String()
}

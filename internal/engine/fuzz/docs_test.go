package fuzz

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/golden"
)

var update = flag.Bool("update", false, "write the pages of the rules anew")

var docsDir = filepath.Join("..", "..", "..", "docs")

// TestDocs wants docs/rules/fuzz, and the table in docs/fuzz.md, to say what the rules say; -update writes the pages.
func TestDocs(t *testing.T) {
	want := map[string]string{"README.md": "# Rules of fuzz\n\nGenerated from the rules; `mcptest explain ID` prints " +
		"the same text as each page.\n\n" +
		"| rule | severity | what it finds |\n|---|---|---|\n"}
	for _, rule := range Rules() {
		want["README.md"] += fmt.Sprintf("| [%s](%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity, rule.Title())
		want[rule.ID+".md"], _ = Explain(rule.ID)
	}
	golden.CheckPages(t, filepath.Join(docsDir, "rules", "fuzz"), want, *update)
	page, err := os.ReadFile(filepath.Join(docsDir, "fuzz.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range Rules() {
		if row := fmt.Sprintf("| [%s](rules/fuzz/%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity,
			rule.Title()); !strings.Contains(string(page), row) {
			t.Errorf("docs/fuzz.md lacks the row %q", row)
		}
	}
	if got, want := strings.Count(string(page), "| [FUZZ-"), len(Rules()); got != want {
		t.Errorf("docs/fuzz.md has %d rows of rules, want %d", got, want)
	}
}

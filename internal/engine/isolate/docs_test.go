package isolate_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/golden"
)

var update = flag.Bool("update", false, "write the pages of the rules anew")

// TestDocs compares docs/rules/isolate and the table in docs/isolate.md with the rules; -update writes the pages.
func TestDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	want := map[string]string{"README.md": "# Rules of isolate\n\nGenerated from the rules; `mcptest explain ID` prints " +
		"the same text as each page.\n\n| rule | severity | what it finds |\n|---|---|---|\n"}
	page, err := os.ReadFile(filepath.Join(docs, "isolate.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range isolate.Rules() {
		want["README.md"] += fmt.Sprintf("| [%s](%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity, rule.Title())
		want[rule.ID+".md"], _ = isolate.Explain(rule.ID)
		row := fmt.Sprintf("| [%s](rules/isolate/%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity, rule.Title())
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/isolate.md lacks the row %q", row)
		}
	}
	golden.CheckPages(t, filepath.Join(docs, "rules", "isolate"), want, *update)
}

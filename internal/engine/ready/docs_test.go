package ready

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

// TestDocs compares docs/rules/ready and the table in docs/ready.md with the rules; -update writes the pages.
func TestDocs(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	want := map[string]string{"README.md": "# Rules of ready\n\nGenerated from the rules; `mcptest explain ID` prints " +
		"the same text as each page.\n\n| rule | severity | what it finds |\n|---|---|---|\n"}
	page, err := os.ReadFile(filepath.Join(docs, "ready.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range Rules() {
		want["README.md"] += fmt.Sprintf("| [%s](%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity, rule.Title())
		want[rule.ID+".md"], _ = Explain(rule.ID)
		row := fmt.Sprintf("| [%s](rules/ready/%s.md) | %s | %s |\n", rule.ID, rule.ID, rule.Severity, rule.Title())
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/ready.md lacks the row %q", row)
		}
	}
	golden.CheckPages(t, filepath.Join(docs, "rules", "ready"), want, *update)
}

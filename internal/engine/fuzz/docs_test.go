package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs wants the table of properties in the documentation to say what the rules say.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "fuzz.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range Rules() {
		if row := fmt.Sprintf("| %s | %s | %s |\n", rule.ID, rule.Severity, rule.Title()); !strings.Contains(string(page), row) {
			t.Errorf("docs/fuzz.md lacks the row %q", row)
		}
	}
	if got, want := strings.Count(string(page), "| FUZZ-"), len(Rules()); got != want {
		t.Errorf("docs/fuzz.md has %d rows of rules, want %d", got, want)
	}
}

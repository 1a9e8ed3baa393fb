package change

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/golden"
)

var update = flag.Bool("update", false, "generate the pages of the rules")

// TestDocs checks that docs/rules/diff matches the rules; -update generates it.
func TestDocs(t *testing.T) {
	var index strings.Builder
	index.WriteString("# Rules of diff and lock files\n\nGenerated from the rules; `mcptest explain ID` prints the " +
		"same text as each page. See [diff](../../diff.md).\n\n" +
		"| rule | severity | what it finds |\n|---|---|---|\n")
	want := map[string]string{}
	for _, r := range Rules() {
		want[r.ID+".md"], _ = Explain(r.ID)
		fmt.Fprintf(&index, "| [%s](%[1]s.md) | %s | %s |\n", r.ID, r.Severity, r.Title())
	}
	want["README.md"] = index.String()
	golden.CheckPages(t, filepath.Join("..", "..", "..", "docs", "rules", "diff"), want, *update)
}

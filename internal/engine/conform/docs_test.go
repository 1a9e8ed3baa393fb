package conform

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/golden"
)

var docsDir = filepath.Join("..", "..", "..", "docs", "rules", "conform")

// TestDocs checks that docs/rules/conform says what the checks say; -update writes it.
func TestDocs(t *testing.T) {
	want := map[string]string{"README.md": docsIndex()}
	for _, c := range Checks() {
		want[c.ID+".md"], _ = Explain(c.ID)
	}
	golden.CheckPages(t, docsDir, want, *update)
}

func docsIndex() string {
	var b strings.Builder
	b.WriteString("# Checks of conform\n\nGenerated from the checks; `mcptest explain ID` prints the same text as each page.\n")
	family := ""
	for _, c := range Checks() {
		if c.Family() != family {
			family = c.Family()
			fmt.Fprintf(&b, "\n## %s\n\n| check | severity | revisions | what it wants |\n|---|---|---|---|\n", family)
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s |\n", c.ID, c.ID, c.Severity, revisionsIn(c), strings.ReplaceAll(c.Title(), "|", `\|`))
	}
	return b.String()
}

func revisionsIn(c *Check) string {
	switch {
	case c.Since == "" && c.Until == "":
		return "all"
	case c.Since == c.Until:
		return c.Since
	case c.Until == "":
		return "from " + c.Since
	case c.Since == "":
		return "to " + c.Until
	}
	return c.Since + " to " + c.Until
}

// TestCheckDocs holds the documentation of checks to its form.
func TestCheckDocs(t *testing.T) {
	id := regexp.MustCompile(`^[A-Z]+-\d{3}$`)
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || !id.MatchString(c.ID) {
			t.Errorf("id %q is not one, or is used twice", c.ID)
		}
		seen[c.ID] = true
		if title := c.Title(); !strings.HasSuffix(title, ".") || len(title) > 100 || strings.Count(c.Doc, "\n\n") < 1 {
			t.Errorf("%s: the documentation begins with %q; want a title with a full stop, a blank line, and the reasons", c.ID, title)
		}
		if c.Severity.AtLeast(finding.Error) && c.Spec == "" && c.Family() != "RUN" {
			t.Errorf("%s is an error and does not say where the requirement stands", c.ID)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d checks; want at least 100", len(seen))
	}
}

// TestCheckList checks that the generated list is current, by generating it again beside copies of the checks.
func TestCheckList(t *testing.T) {
	dir := t.TempDir()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "run", "../../../tools/rulelist", "-type", "Check", "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("rulelist: %v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "checks_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("checks_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("checks_gen.go is out of date; run go generate ./internal/engine/conform (-want +got):\n%s", diff)
	}
}

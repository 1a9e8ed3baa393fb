package conform

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	b.WriteString("# Checks of conform\n\nGenerated from the checks; `mcptest explain ID` prints the same text as " +
		"each page.\n")
	family := ""
	for _, c := range Checks() {
		if c.Family() != family {
			family = c.Family()
			fmt.Fprintf(&b, "\n## %s\n\n| check | severity | revisions | what it wants |\n|---|---|---|---|\n", family)
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s |\n", c.ID, c.ID, c.Severity, revisionsIn(c),
			strings.ReplaceAll(c.Title(), "|", `\|`))
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
		if title := c.Title(); strings.HasSuffix(title, ".") || len(title) > 80 || strings.Count(c.Doc, "\n\n") < 1 {
			t.Errorf("%s: the documentation begins with %q; want a title of at most 80 characters without a period, "+
				"a blank line, and the reasons", c.ID, title)
		}
		if c.Severity.AtLeast(finding.Error) && c.Spec == "" && c.Family() != "RUN" {
			t.Errorf("%s is an error and does not say where the requirement stands", c.ID)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d checks; want at least 100", len(seen))
	}
}

// TestCheckList checks that the generated list is current.
func TestCheckList(t *testing.T) { golden.CheckList(t, "checks_gen.go", "-type", "Check") }

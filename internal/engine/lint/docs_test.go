package lint

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/golden"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

var docsDir = filepath.Join("..", "..", "..", "docs", "rules")

// TestDocs checks that docs/rules says what the rules say; -update writes it.
func TestDocs(t *testing.T) {
	want := map[string]string{"README.md": docsIndex()}
	for _, r := range Rules() {
		want[docsName(r.ID)], _ = Explain(r.ID)
	}
	golden.CheckPages(t, docsDir, want, *update, "precision.md")
}

func docsName(id string) string { return strings.ReplaceAll(id, "/", "-") + ".md" }

func docsIndex() string {
	var b strings.Builder
	b.WriteString("# Rules of schema-lint\n\nGenerated from the rules; `mcptest explain ID` prints the same text as " +
		"each page.\n")
	b.WriteString("[precision.md](precision.md) says how often each rule fires on real tools.\n")
	family := ""
	for _, r := range Rules() {
		if r.Family() != family {
			family = r.Family()
			fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| rule | severity | what it finds |\n|---|---|---|\n", family,
				aboutFamily(family))
		}
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", r.ID, docsName(r.ID), r.Severity,
			strings.ReplaceAll(r.Title(), "|", `\|`))
	}
	return b.String()
}

func aboutFamily(name string) string {
	switch name {
	case "SCH":
		return "Schemas that accept too much. Any finding fails the run."
	case "SPEC":
		return "Violations of the protocol revision that `--protocol` names. Errors fail the run."
	case "QUAL":
		return "What makes models call a tool wrongly. Counts with `--severity` or `--rules`."
	case "hosts":
		return "Tools that do not reach the model of hosts that were run. Errors fail the run; `mcptest hosts` shows " +
			"the versions."
	case "APP":
		return "What tools and resources declare for views (MCP Apps), and the views themselves. Errors fail the run."
	case "SKILL":
		return "Skills, in a folder or a file with the result of `skills/list`. Errors fail the run."
	case "SEC":
		return "Hidden text, secrets, instructions to the model. Errors fail the run; heuristics are warnings."
	}
	profile, _ := hosts.Find(name)
	text := fmt.Sprintf("%s, as of %s. Counts with `--host %s`.", profile.Name, profile.Checked, name)
	if profile.OptIn {
		text += " A mode that callers ask for, so its rules run only then."
	}
	return text
}

// TestRuleDocs holds the documentation of rules to its form.
func TestRuleDocs(t *testing.T) {
	id := regexp.MustCompile(`^((SCH|SPEC|QUAL|SEC|APP|SKILL)-\d{3}|[a-z0-9-]+/[a-z0-9-]+)$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || !id.MatchString(r.ID) {
			t.Errorf("id %q is not one, or is used twice", r.ID)
		}
		seen[r.ID] = true
		if title := r.Title(); strings.HasSuffix(title, ".") || len(title) > 80 || strings.Count(r.Doc, "\n\n") < 1 {
			t.Errorf("%s: the documentation begins with %q; want a title of at most 80 characters without a period, "+
				"a blank line, and the reasons", r.ID, title)
		}
		if _, ofHost := hosts.Find(r.Family()); ofHost != (r.Breaks != "") || (r.Check == nil) == (r.Entry == nil) {
			t.Errorf("%s: breaks %q; want that of every rule of a host and of no other", r.ID, r.Breaks)
		}
		if want := hostSeverity(r.Breaks); r.Breaks != "" && r.Severity != want && !r.Unproven {
			t.Errorf("%s: severity %s, want %s for what breaks the %s", r.ID, r.Severity, want, r.Breaks)
		}
		if unconfirmed := r.Breaks != "" && r.Spec == ""; unconfirmed != r.Unproven ||
			r.Unproven && r.Severity.AtLeast(finding.Error) {
			t.Errorf("%s: unproven %v with source %q and severity %s", r.ID, r.Unproven, r.Spec, r.Severity)
		}
	}
}

func hostSeverity(breaks hosts.Breaks) finding.Severity {
	switch breaks {
	case hosts.Constraint:
		return finding.Warning
	case hosts.Cosmetic:
		return finding.Info
	}
	return finding.Error
}

// TestRuleList checks that the generated list is current.
func TestRuleList(t *testing.T) { golden.CheckList(t, "rules_gen.go") }

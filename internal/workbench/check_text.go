package workbench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/report"
)

// checkShown is how many kinds of findings are shown by default: what a user can read in a minute.
const checkShown = 8

// checkIndent is the indentation of the details of a finding.
const checkIndent = 10

// longCommand is the length above which a command is not shown; other report formats include it.
const longCommand = 200

// writeCheck shows the verdict: server, areas, the most important findings, what was not tested, and next
// steps.
func writeCheck(out io.Writer, r *CheckResult) error {
	if r.Table != nil && (r.format == "" || r.format == "text") {
		return writeCheckTable(out, r.Table)
	}
	if r.format != "" && r.format != "text" {
		return writeJudged(out, &r.Judged)
	}
	t := newText(out)
	t.line(report.Line(r.Server))
	if r.Offers != "" {
		t.show("has " + r.Offers)
	}
	t.line("")
	for _, a := range r.Areas {
		t.area(a)
	}
	t.line("")
	t.hosts(r.Hosts)
	t.groups(r)
	if len(r.NotTested) > 0 {
		t.line("Not tested:")
		for _, line := range r.NotTested {
			t.fill(2, line)
		}
		t.line("")
	}
	for i, next := range r.Next {
		t.show(map[bool]string{true: "Next: ", false: "      "}[i == 0] + next)
	}
	t.line(t.grade(r.Grade, r.sentence()))
	return t.err
}

// area shows the grade of an area with its findings and how much was tested, or why there is no grade.
func (t *text) area(a CheckArea) {
	letter, about := a.Grade, a.About
	if letter == "" {
		letter = "–"
	}
	if a.State != Graded {
		about = string(a.State) + ": " + about
	}
	if a.Evidence != "" && a.Evidence != "nothing" {
		about += " (" + a.Evidence + ")"
	}
	t.line(t.grade(a.Grade, letter) + report.Visible(fmt.Sprintf("  %-10s  %s", a.Name, about)))
}

// grade shows a text in the color of a grade.
func (t *text) grade(grade, text string) string {
	code := "1;31"
	switch grade {
	case "A":
		code = "1;32"
	case "B", "C", "":
		code = "1;33"
	}
	return t.paint(code, "%s", []any{text})
}

// groups shows the findings of the server's own code, then those of its SDK, then suggestions.
func (t *text) groups(r *CheckResult) {
	var own, foreign, advises []CheckGroup
	for _, g := range r.Groups {
		switch {
		case g.Advises:
			advises = append(advises, g)
		case g.Origin != "":
			foreign = append(foreign, g)
		default:
			own = append(own, g)
		}
	}
	shown := own
	if !r.verbose {
		shown = own[:min(len(own), checkShown)]
	}
	for _, g := range shown {
		t.group(g, r.verbose)
	}
	if left := len(own) - len(shown); left > 0 {
		t.line(fmt.Sprintf("… and %s (use --verbose to list them)", plural(left, "more kind")+" of findings"))
		t.line("")
	}
	if len(foreign) > 0 {
		t.show(fmt.Sprintf("Caused by %s (%s), not by your code:", r.SDK.Phrase(), r.SDK.Evidence))
		for _, g := range foreign {
			line := fmt.Sprintf("%-8s  %s", g.Severity, strings.Join(append([]string{g.Rule}, g.Also...), ", ")+"  "+g.Title)
			if g.Reported != "" {
				line += "; reported: " + g.Reported
			}
			t.fill(2, line)
		}
		t.line("")
	}
	if len(advises) > 0 {
		t.line("Suggestions, not counted in the grade (use mcptest schema-lint to list all):")
		for _, g := range advises {
			t.fill(2, fmt.Sprintf("%s  %s: %s", g.Rule, g.Title, joinNames(g.Subjects)))
		}
		t.line("")
	}
}

// group shows the finding, why it matters, how to fix it, where to read more and how to reproduce it.
func (t *text) group(g CheckGroup, verbose bool) {
	title := g.Rule + "  " + g.Title
	if before := strings.Repeat(" ", checkIndent); t.columns >= narrowest {
		title = strings.TrimPrefix(report.Fill(before+g.Rule+"  ", before+"  ", g.Title, t.columns), before)
	}
	t.line(t.paint(report.SeverityColor(g.Severity), "%-8s", []any{g.Severity}) + "  " + title)
	shown := g.first
	shown.Where.Subject = report.Visible(shown.Where.Subject) // on one line, whatever it contains
	for i, line := range strings.Split(shown.Line(), "\n") {
		if i > 2 {
			break
		}
		t.fill(checkIndent, line)
	}
	if g.Why != "" {
		t.fill(checkIndent, "why: "+g.Why)
	}
	switch {
	case len(g.first.Fixes) > 0:
		t.fill(checkIndent, "fix: "+g.first.Fixes[0].Message)
	case g.Fix != "":
		t.fill(checkIndent, "fix: "+g.Fix)
	}
	if verbose && g.Snippet != "" {
		t.show(strings.Repeat(" ", checkIndent+2) + strings.ReplaceAll(g.Snippet, "\n", "\n"+strings.Repeat(" ", checkIndent+2)))
	}
	if others := slices.DeleteFunc(slices.Clone(g.Subjects), func(s string) bool { return s == g.first.Where.Subject }); len(others) > 0 {
		t.fill(checkIndent, "also: "+joinNames(others))
	}
	if len(g.Also) > 0 {
		t.fill(checkIndent, "same cause: "+strings.Join(g.Also, ", "))
	}
	t.show(strings.Repeat(" ", checkIndent) + "see: " + g.Link)
	if g.Reproduce != "" && len(g.Reproduce) <= longCommand {
		t.show(strings.Repeat(" ", checkIndent) + g.Reproduce) // on one line, for copying
	}
	t.line("")
}

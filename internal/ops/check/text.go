package check

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// checkShown is how many kinds of findings are shown by default: what a user can read in a minute.
const checkShown = 8

// checkIndent is the indentation of the details of a finding.
const checkIndent = 10

// longCommand is the number of characters above which a command is not shown; other report formats include it.
const longCommand = 400

// writeCheck shows the verdict: server, areas, the most important findings, what was not tested, and next
// steps.
func writeCheck(out io.Writer, r *Result) error {
	if r.Table != nil && (r.Format == "" || r.Format == "text") {
		return writeCheckTable(out, r.Table)
	}
	if r.Format != "" && r.Format != "text" {
		return workbench.WriteReport(out, &r.ReportResult)
	}
	t := workbench.NewText(out)
	t.Line(report.Line(r.Server))
	if r.Offers != "" {
		t.Line(report.Line("has " + r.Offers))
	}
	t.Line("")
	for _, a := range r.Areas {
		area(t, a)
	}
	t.Line("")
	writeHosts(t, r.Hosts)
	r.Context.write(t)
	groups(t, r)
	if r.verbose {
		information(t, r)
	}
	if len(r.NotTested) > 0 {
		t.Line("Not tested:")
		for _, line := range r.NotTested {
			t.Fill(2, line)
		}
		t.Line("")
	}
	if r.Skipped > 0 {
		t.Fill(0, fmt.Sprintf("%s skipped because they do not apply to this server (use mcptest conform --verbose to "+
			"list them)", workbench.Plural(r.Skipped, "check")))
		t.Line("")
	}
	for i, next := range r.Next {
		t.Command(map[bool]string{true: "Next: ", false: "      "}[i == 0], next)
	}
	if r.Reason != "" {
		t.Line(report.Line(r.Reason))
	}
	t.Line(grade(t, r.Grade, r.sentence()))
	return t.Err
}

// area shows the grade of an area with its findings and how much was tested, or why there is no grade.
func area(t *workbench.Text, a Area) {
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
	filled := 0
	if a.Grade != "" {
		filled = len(gradeLetters) - strings.Index(gradeLetters, a.Grade)
	}
	mark := letter
	if bar := t.Bar(filled, len(gradeLetters)); bar != "" {
		mark += "  " + bar
	}
	head := fmt.Sprintf("%s  %-10s  ", mark, a.Name)
	line := report.Visible(head + about)
	if t.Columns >= workbench.Narrowest {
		line = report.Fill(head, strings.Repeat(" ", utf8.RuneCountInString(head)), report.Line(about), t.Columns)
	}
	t.Line(grade(t, a.Grade, mark) + strings.TrimPrefix(line, mark))
}

// grade shows a text in the color of a grade.
func grade(t *workbench.Text, grade, text string) string {
	code := "1;31"
	switch grade {
	case "A":
		code = "1;32"
	case "B", "C", "":
		code = "1;33"
	}
	return t.Paint(code, "%s", []any{text})
}

// groups shows the findings of the server's own code, then those of its SDK, then warnings that do not affect the grade.
func groups(t *workbench.Text, r *Result) {
	var own, foreign, advises []Group
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
		group(t, g, r.verbose)
	}
	if left := len(own) - len(shown); left > 0 {
		t.Line(fmt.Sprintf("… and %s (use --verbose to list them)", workbench.Plural(left, "more kind")+" of findings"))
		t.Line("")
	}
	if len(foreign) > 0 {
		cause := "Caused"
		if !r.SDK.Certain {
			cause = "Probably caused"
		}
		t.Line(report.Line(fmt.Sprintf("%s by %s, not by your code (recognized by %s):", cause, r.SDK.Phrase(), r.SDK.Evidence)))
		for _, g := range foreign {
			line := fmt.Sprintf("%-8s  %s  %s", g.Severity, g.Rule, g.Title)
			if len(g.Also) > 0 {
				line += "; same cause: " + strings.Join(g.Also, ", ")
			}
			if g.Reported != "" {
				line += "; reported: " + g.Reported
			}
			t.Fill(2, line)
			if r.verbose {
				each(t, checkIndent+2, "", append([]finding.Finding{g.first}, g.rest...))
			}
		}
		t.Line("")
	}
	if len(advises) > 0 {
		t.Line("Warnings that do not affect the grade (use mcptest schema-lint to list all):")
		for _, g := range advises {
			t.Fill(2, fmt.Sprintf("%s  %s: %s", g.Rule, g.Title, workbench.JoinNames(g.Subjects)))
		}
		t.Line("")
	}
}

// information shows the findings that are neither a fault nor advice.
func information(t *workbench.Text, r *Result) {
	infos := slices.DeleteFunc(r.Report.Findings(), func(f finding.Finding) bool { return f.Severity != finding.Info })
	if len(infos) > 0 {
		t.Line("Information:")
		each(t, 2, "", infos)
		t.Line("")
	}
}

// each shows findings, with their rules.
func each(t *workbench.Text, indent int, before string, findings []finding.Finding) {
	for _, f := range findings {
		f.Where.Subject = report.Visible(f.Where.Subject)
		line, _, _ := strings.Cut(f.Line(), "\n")
		t.Fill(indent, before+f.Rule+"  "+line)
	}
}

// group shows the finding, why it matters, how to fix it, where to read more and how to reproduce it.
func group(t *workbench.Text, g Group, verbose bool) {
	title := g.Rule + "  " + g.Title
	if before := strings.Repeat(" ", checkIndent); t.Columns >= workbench.Narrowest {
		title = strings.TrimPrefix(report.Fill(before+g.Rule+"  ", before+"  ", g.Title, t.Columns), before)
	}
	rule, linked := t.Link(g.Rule, g.Link)
	title = strings.Replace(title, g.Rule, t.Strong(rule), 1)
	t.Line(t.Paint(report.SeverityColor(g.Severity), "%-8s", []any{g.Severity}) + "  " + title)
	shown := g.first
	shown.Where.Subject = report.Visible(shown.Where.Subject) // on one line, whatever it contains
	if at := shown.Where.Pointer; g.Area == "protocol" && at != "" && !strings.Contains(shown.Message, at) {
		shown.Message = report.Visible(at) + ": " + shown.Message
	}
	for i, line := range strings.Split(shown.Line(), "\n") {
		if i > 2 {
			break
		}
		t.Fill(checkIndent, line)
	}
	if g.Why != "" {
		t.Fill(checkIndent, "why: "+g.Why)
	}
	switch {
	case len(g.first.Fixes) > 0:
		t.Fill(checkIndent, "fix: "+g.first.Fixes[0].Message)
	case g.Fix != "":
		t.Fill(checkIndent, "fix: "+g.Fix)
	}
	if verbose && g.Snippet != "" {
		t.Show(strings.Repeat(" ", checkIndent+2) +
			strings.ReplaceAll(g.Snippet, "\n", "\n"+strings.Repeat(" ", checkIndent+2)))
	}
	if verbose {
		each(t, checkIndent, "also: ", g.rest)
	} else {
		if others := slices.DeleteFunc(slices.Clone(g.Subjects),
			func(s string) bool { return s == g.first.Where.Subject }); len(others) > 0 {
			t.Fill(checkIndent, "also: "+workbench.JoinNames(others))
		}
		if len(g.Also) > 0 {
			t.Fill(checkIndent, "same cause: "+strings.Join(g.Also, ", "))
		}
	}
	if !linked {
		t.Line(strings.Repeat(" ", checkIndent) + "see: " + page(t, g))
	}
	if g.Reproduce != "" && utf8.RuneCountInString(g.Reproduce) <= longCommand {
		t.Command(strings.Repeat(" ", checkIndent), g.Reproduce)
	}
	t.Line("")
}

// page returns where the rule of a group is explained: the URL, or the command if the URL is longer than a line.
func page(t *workbench.Text, g Group) string {
	if t.Columns >= workbench.Narrowest && checkIndent+len("see: "+g.Link) > t.Columns {
		return "mcptest explain " + g.Rule
	}
	return g.Link
}

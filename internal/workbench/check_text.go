package workbench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// checkShown is how many kinds of findings are shown unless all are asked for: what a person reads in a minute.
const checkShown = 8

// checkIndent is how far in stands what is said of a finding.
const checkIndent = 10

// longCommand is what no longer helps a person who reads in a hurry; a report in another format has it all.
const longCommand = 200

// writeCheck shows the verdict: what the server is, the areas, the findings that matter, what was not tested, what next.
func writeCheck(out io.Writer, r *CheckResult) error {
	if r.Table != nil {
		return writeCheckTable(out, r.Table)
	}
	if r.format != "" && r.format != "text" {
		return writeJudged(out, &r.Judged)
	}
	t := newText(out)
	t.show(r.Server)
	if r.Offers != "" {
		t.show("has " + r.Offers)
	}
	t.line("")
	for _, a := range r.Areas {
		t.area(a)
	}
	t.line("")
	groups := r.grouped()
	shown := groups
	if !r.verbose {
		shown = groups[:min(len(groups), checkShown)]
	}
	for _, g := range shown {
		t.group(g)
	}
	if left := len(groups) - len(shown); left > 0 {
		t.line(fmt.Sprintf("… and %s (--verbose shows them)", plural(left, "kind")+" of findings more"))
		t.line("")
	}
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

// area shows the grade of an area with what was found and how much was tested, or why there is no grade.
func (t *text) area(a CheckArea) {
	letter, about := a.Grade, a.About
	if letter == "" {
		letter = "–"
	}
	if a.State != Graded {
		about = string(a.State) + ": " + about
	}
	t.line(t.grade(a.Grade, letter) + report.Visible(fmt.Sprintf("  %-10s  %s (%s)", a.Name, about, a.Evidence)))
}

// grade shows a text in the colour of a grade.
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

// A findingGroup is the findings of one rule.
type findingGroup struct {
	rule     finding.Rule
	findings []finding.Finding
}

// areaOrder is what matters more among findings of the same severity in areas of the same grade: what breaks a server, then
// what clients trip over, then what could be said better.
var areaOrder = []string{"robustness", "protocol", "schemas"}

// grouped puts findings together by rule, and leaves out what is for information. The gravest come first, then those of the
// area with the worst grade, since they are why the server has it.
func (r *CheckResult) grouped() []findingGroup {
	rules, grades := map[string]finding.Rule{}, map[string]string{}
	for _, rule := range r.Report.Rules {
		rules[rule.ID] = rule
	}
	for _, a := range r.Areas {
		grades[a.Name] = a.Grade
	}
	var all []findingGroup
	for _, f := range r.Report.Findings() {
		if f.Severity == finding.Info {
			continue
		}
		i := slices.IndexFunc(all, func(g findingGroup) bool { return g.rule.ID == f.Rule })
		if i < 0 {
			i = len(all)
			all = append(all, findingGroup{rule: finding.Rule{ID: f.Rule, Doc: rules[f.Rule].Doc}})
		}
		all[i].findings = append(all[i].findings, f)
	}
	slices.SortStableFunc(all, func(a, b findingGroup) int {
		of, than := r.area[a.rule.ID], r.area[b.rule.ID]
		return cmp.Or(cmp.Compare(b.worst().Rank(), a.worst().Rank()), cmp.Compare(grades[than], grades[of]),
			cmp.Compare(slices.Index(areaOrder, of), slices.Index(areaOrder, than)))
	})
	return all
}

func (g findingGroup) worst() finding.Severity {
	worst := finding.Info
	for _, f := range g.findings {
		if f.Severity.Rank() > worst.Rank() {
			worst = f.Severity
		}
	}
	return worst
}

// group shows a rule, its first finding with evidence and fix, and where else it was found.
func (t *text) group(g findingGroup) {
	first := g.findings[slices.IndexFunc(g.findings, func(f finding.Finding) bool { return f.Severity == g.worst() })]
	title := g.rule.ID + "  " + strings.TrimSuffix(g.rule.Title(), ".")
	if before := strings.Repeat(" ", checkIndent); t.columns >= narrowest {
		title = strings.TrimPrefix(report.Fill(before+g.rule.ID+"  ", before+"  ", strings.TrimSuffix(g.rule.Title(), "."), t.columns), before)
	}
	t.line(t.paint(report.SeverityColor(g.worst()), "%-8s", []any{g.worst()}) + "  " + title)
	where := first.Where.Subject
	if where != "" {
		where += ": "
	}
	for i, line := range strings.Split(first.Message, "\n") {
		if i > 2 {
			break
		}
		t.fill(checkIndent, map[bool]string{true: where, false: ""}[i == 0]+line)
	}
	for _, fix := range first.Fixes[:min(len(first.Fixes), 1)] {
		t.fill(checkIndent, "fix: "+fix.Message)
	}
	if again := first.Reproduce; again != "" && len(again) <= longCommand {
		t.show(strings.Repeat(" ", checkIndent) + again) // in one line, to be copied
	}
	var others []string
	for _, f := range g.findings {
		if f.Where.Subject != first.Where.Subject && f.Where.Subject != "" && !slices.Contains(others, f.Where.Subject) {
			others = append(others, f.Where.Subject)
		}
	}
	if len(others) > 0 {
		more := ""
		if len(others) > 6 {
			more = fmt.Sprintf(" and %d more", len(others)-6)
		}
		t.fill(checkIndent, "also: "+strings.Join(others[:min(len(others), 6)], ", ")+more)
	}
	t.line("")
}

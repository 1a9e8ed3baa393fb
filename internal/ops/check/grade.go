package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// gradeLetters are the grades, best first: a later letter is a worse grade.
const gradeLetters = "ABCDF"

// manyErrors is the number of distinct error causes from which an area gets D instead of C.
const manyErrors = 3

// adviceRules describe how strict a schema is. Four of five real servers have such findings, good and bad ones
// alike, so they do not affect the grade.
var adviceRules = []string{"SCH-001", "SCH-002", "SCH-004"}

// isAdvice reports whether a finding does not affect the grade: information, or a warning of these rules.
func isAdvice(f finding.Finding) bool {
	return !f.Severity.AtLeast(finding.Warning) || f.Severity == finding.Warning && slices.Contains(adviceRules, f.Rule)
}

// gradeOf returns the grade for the findings of an area. Errors decide it: without one it is A or B, with one C or
// worse.
//
//	A: only findings that do not affect the grade
//	B: warnings, or errors of the SDK
//	C: an error
//	D: a call that never returns, or errors of several causes
//	F: a crash, or a critical security finding
func gradeOf(findings []finding.Finding) string {
	return limitOf(findings).grade
}

// A limit is the best grade that the findings of an area allow, and the rules that cause it.
type limit struct {
	grade string
	by    string // the kind of finding, singular
	rules []string
}

func limitOf(findings []finding.Finding) limit {
	l, failed := limit{grade: "A"}, map[string]bool{}
	for _, f := range findings {
		switch {
		case isAdvice(f):
		case f.Origin != "":
			if f.Severity.AtLeast(finding.Error) {
				l.lower("B", "error of the SDK", f.Rule) // the author cannot change it, but users still experience it
			}
		case f.Severity == finding.Critical && finding.Family(f.Rule) != "SCH":
			l.lower("F", "critical finding", f.Rule)
		case f.Rule == hangRule && f.Severity.AtLeast(finding.Error):
			l.lower("D", "call that never returns", f.Rule)
		case f.Severity.AtLeast(finding.Error):
			failed[causeOf(f.Rule)] = true
			l.lower("C", "error", f.Rule)
		default:
			l.lower("B", "warning", f.Rule)
		}
	}
	if len(failed) >= manyErrors && l.grade < "D" {
		l.grade = "D" // the rules are those of the errors
	}
	return l
}

// lower limits the grade.
func (l *limit) lower(grade, by, rule string) {
	switch {
	case grade > l.grade:
		*l = limit{grade, by, []string{rule}}
	case grade == l.grade && by == l.by && !slices.Contains(l.rules, rule):
		l.rules = append(l.rules, rule)
	}
}

// untested returns what was not tested in an area that applies, in a few words; empty if enough was for an A.
func (a *Area) untested() string {
	switch {
	case a.absent:
		return ""
	case a.State != Graded:
		return string(a.State)
	}
	return a.Partial
}

// reason returns why the grade is not better, in one sentence: the findings that limit it, or else what was not tested.
// It is empty for an A.
func (r *Result) reason() string {
	if by := r.limitingFindings(); by != "" || r.Grade != "B" {
		return by
	}
	var areas []string
	for _, a := range r.Areas {
		if what := a.untested(); what != "" {
			areas = append(areas, fmt.Sprintf("%s (%s)", a.Name, what))
		}
	}
	return "The grade is limited to B by missing tests: " + strings.Join(areas, ", ")
}

// limitingFindings names the findings that limit the grade, in one sentence; empty if none does.
func (r *Result) limitingFindings() string {
	var areas []string
	by, rules := "", 0
	for _, a := range r.Areas {
		l := limitOf(r.findings(a.Name))
		if l.grade != r.Grade || l.grade == "A" || by != "" && by != l.by {
			continue
		}
		by, rules = l.by, rules+len(l.rules)
		areas = append(areas, fmt.Sprintf("%s (%s)", a.Name, workbench.JoinNames(l.rules)))
	}
	if by == "" {
		return ""
	}
	if article := "a "; rules == 1 {
		if strings.HasPrefix(by, "e") {
			article = "an "
		}
		by = article + by
	} else {
		by = plurals[by]
	}
	return fmt.Sprintf("The grade is limited to %s by %s: %s", r.Grade, by, strings.Join(areas, ", "))
}

// plurals has the plural of each kind of finding that limits a grade.
var plurals = map[string]string{"error": "errors", "error of the SDK": "errors of the SDK", "warning": "warnings",
	"critical finding": "critical findings", "call that never returns": "calls that never return"}

// worse returns the worse of two grades. No grade ranks above all others.
func worse(a, b string) string { return max(a, b) }

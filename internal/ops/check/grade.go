package check

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
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
	grade, failed := "A", map[string]bool{}
	for _, f := range findings {
		switch {
		case isAdvice(f):
		case f.Origin != "":
			if f.Severity.AtLeast(finding.Error) {
				grade = worse(grade, "B") // the author cannot change it, but users still experience it
			}
		case f.Severity == finding.Critical && finding.Family(f.Rule) != "SCH":
			grade = worse(grade, "F")
		case f.Severity.AtLeast(finding.Error):
			if failed[causeOf(f.Rule)] = true; f.Rule == hangRule || len(failed) >= manyErrors {
				grade = worse(grade, "D")
			}
			grade = worse(grade, "C")
		default:
			grade = worse(grade, "B")
		}
	}
	return grade
}

// worse returns the worse of two grades. No grade ranks above all others.
func worse(a, b string) string { return max(a, b) }

package workbench

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// lintScore is how many of the tools are without a fault: one with a warning counts half, one with an error or a critical
// one nothing.
func lintScore(r *finding.Report) int {
	tools := int(r.Metrics["tools"])
	if tools == 0 {
		return 100
	}
	worst := map[string]finding.Severity{}
	for _, f := range r.Findings() {
		if f.Severity.Rank() > worst[f.Where.Subject].Rank() {
			worst[f.Where.Subject] = f.Severity
		}
	}
	lost := 0.0
	for subject, severity := range worst {
		switch {
		case subject == "":
		case severity.AtLeast(finding.Error):
			lost++
		case severity == finding.Warning:
			lost += 0.5
		}
	}
	return max(0, int(100*(float64(tools)-lost)/float64(tools)))
}

// gradeOf is the grade of a score, as conform has it: an A is for those without an error.
func gradeOf(score int, errors bool) string {
	switch {
	case score >= 90 && !errors:
		return "A"
	case score >= 90:
		return "B"
	case score >= 75:
		return "C"
	case score >= 50:
		return "D"
	}
	return "F"
}

func hasError(r *finding.Report) bool {
	return slices.ContainsFunc(r.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) })
}

// fuzzGrade is F for a server that can be ended by a call, D for one that hangs, C where errors were found, B for warnings.
func fuzzGrade(r *fuzz.Result) string {
	grade := "A"
	for _, f := range r.Found {
		switch {
		case f.Severity == finding.Critical:
			return "F"
		case f.Rule.ID == silentRule:
			grade = max(grade, "D")
		case f.Severity == finding.Error:
			grade = max(grade, "C")
		default:
			grade = max(grade, "B")
		}
	}
	return grade
}

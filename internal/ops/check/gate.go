package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A gate decides whether a check fails.
type gate struct {
	severity  finding.Severity // fails on findings of this severity and above; empty for none
	grade     string           // fails below this grade; empty for any
	areas     []areaGate
	maxTokens int      // of a model's context; 0 for no limit
	sdk       bool     // findings caused by the SDK count like the others
	rules     []string // fails on findings of these rules, families or globs, warnings that do not affect the grade included
}

// An areaGate fails on an area below a grade, and on one without a grade.
type areaGate struct{ name, grade string }

// areaNames are the areas of a check, in display order.
var areaNames = []string{"protocol", "schemas", "robustness"}

const gateHint = "error, warning, critical, grade:B, area:robustness, area:protocol:B, sdk, or rules such as SEC or " +
	"TOOL-009"

// parseGate parses --fail-on. Each condition alone fails the check.
func parseGate(conditions []string, known func(pattern string) bool) (*gate, error) {
	g := &gate{}
	for _, text := range workbench.Commas(conditions) {
		if !g.add(text, known) {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --fail-on", text),
				Hint: "use " + gateHint}
		}
	}
	if g.sdk && len(workbench.Commas(conditions)) == 1 || len(workbench.Commas(conditions)) == 0 {
		g.severity = finding.Error
	}
	return g, nil
}

func (g *gate) add(text string, known func(string) bool) bool {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case kind == "grade":
		g.grade = strings.ToUpper(rest)
		return isGrade(rest)
	case kind == "area":
		name, grade, graded := strings.Cut(rest, ":")
		if !graded {
			grade = "B"
		}
		g.areas = append(g.areas, areaGate{name, strings.ToUpper(grade)})
		return slices.Contains(areaNames, name) && isGrade(grade)
	case text == "warning", text == "error", text == "critical":
		if s := finding.Severity(text); g.severity == "" || !s.AtLeast(g.severity) {
			g.severity = s
		}
		return true
	case text == "sdk":
		g.sdk = true
		return true
	case known(text):
		g.rules = append(g.rules, text)
		return true
	}
	return false
}

func isGrade(text string) bool {
	return len(text) == 1 && strings.Contains(gradeLetters, strings.ToUpper(text))
}

// fails reports whether the check fails, and why.
func (g *gate) fails(r *Result) (why string, failed bool) {
	if r.Context != nil {
		if r.overBudget = hosttools.OverBudget(r.Context.Hosts, g.maxTokens); r.overBudget != "" {
			return r.overBudget, true
		}
	}
	if g.grade != "" && r.Grade > g.grade {
		return "the grade is below " + g.grade, true
	}
	for _, want := range g.areas {
		i := slices.IndexFunc(r.Areas, func(a Area) bool { return a.Name == want.name })
		switch {
		case i < 0 || r.Areas[i].Grade == "":
			return want.name + " has no grade", true
		case r.Areas[i].Grade > want.grade:
			return want.name + " is below " + want.grade, true
		}
	}
	for _, f := range r.Report.Findings() {
		switch {
		case finding.MatchesAny(f.Rule, g.rules):
			return "finding of rule " + f.Rule, true
		case g.bySeverity(f):
			return fmt.Sprintf("finding of severity %s", f.Severity), true
		}
	}
	return "", false
}

// counts reports whether a finding is a reason to fail, for the reports of a check that failed.
func (g *gate) counts(r *Result, f finding.Finding) bool {
	floor := ""
	if g.grade != "" && r.Grade > g.grade {
		floor = g.grade
	}
	for _, want := range g.areas {
		if r.area[f.Rule] == want.name {
			floor = max(floor, want.grade)
		}
	}
	return finding.MatchesAny(f.Rule, g.rules) || g.bySeverity(f) ||
		floor != "" && gradeOf([]finding.Finding{f}) > min(floor, "B")
}

func (g *gate) bySeverity(f finding.Finding) bool {
	return g.severity != "" && f.Severity.AtLeast(g.severity) && !isAdvice(f) && (f.Origin == "" || g.sdk)
}

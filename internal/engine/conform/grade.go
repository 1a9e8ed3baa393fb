package conform

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// An Area is the summary of the checks of one family.
type Area struct {
	Name    string
	Passed  int
	Failed  int // with an error
	Warned  int // with nothing more severe than a warning
	Skipped int
	Broken  int
}

// weight is what a check counts in the score, by its severity or by its most severe finding.
func weight(s finding.Severity) int {
	switch s {
	case finding.Critical, finding.Error:
		return 5
	case finding.Warning:
		return 2
	}
	return 0
}

// grade counts the results by area and computes a score and a letter. Each finished check has a weight: 5 for a
// requirement, 2 for a recommendation. A check with findings loses the weight of its most severe one; a check that
// could not be finished loses its own weight. A check that was not run before the time limit has no weight: a slow
// server is not an incorrect one. The score is the remaining weight in percent, rounded down. Without an error the
// letter is A (90 or more) or B; with one it is C (75 or more), D (50 or more) or F, so that it never contradicts the
// exit status.
func (o *Outcome) grade() {
	severity := map[string]finding.Severity{}
	for _, rule := range o.Report.Rules {
		severity[rule.ID] = rule.Severity
	}
	total, lost, errors := 0, 0, 0
	for _, result := range o.Report.Results {
		if result.Rule == "" {
			continue
		}
		area := o.area(finding.Family(result.Rule))
		status := result.Status()
		area.add(status, worstOf(result.Findings))
		own := weight(severity[result.Rule])
		switch {
		case status == finding.Passed:
			total += own
		case status == finding.Broken && !unreached(&result):
			total += own
			lost += own
			errors++ // it fails the run
		case status == finding.Failed:
			worst := worstOf(result.Findings)
			total += max(own, weight(worst))
			lost += weight(worst)
			if worst.AtLeast(finding.Error) {
				errors++
			}
		}
	}
	o.Score, o.Grade = letter(total, lost, errors)
	if total == 0 && o.Unreached() > 0 {
		o.Score, o.Grade = 0, "F" // its outcome is unknown
	}
	o.metrics()
}

// SkipUnreached excludes the checks that were not run before the time limit from the grade: they become skipped
// instead of broken. It returns how many there were.
func (o *Outcome) SkipUnreached(why string) int {
	left := 0
	for i := range o.Report.Results {
		if r := &o.Report.Results[i]; unreached(r) && len(r.Findings) == 0 {
			r.Broken, r.Skipped = "", why
			left++
		}
	}
	score, grade := o.Score, o.Grade // these do not count them anyway
	o.Areas = nil
	o.grade()
	o.Score, o.Grade = score, grade
	o.metrics()
	return left
}

// Unreached is how many checks are broken because the time limit of the run was reached.
func (o *Outcome) Unreached() int {
	count := 0
	for i := range o.Report.Results {
		if unreached(&o.Report.Results[i]) {
			count++
		}
	}
	return count
}

func unreached(r *finding.Result) bool { return strings.Contains(r.Broken, errTimeLimit.Error()) }

func letter(total, lost, errors int) (score int, grade string) {
	score = 100
	if total > 0 {
		score = 100 * (total - lost) / total
	}
	switch {
	case score >= 90 && errors == 0:
		return score, "A"
	case errors == 0:
		return score, "B"
	case score >= 75:
		return score, "C"
	case score >= 50:
		return score, "D"
	}
	return score, "F"
}

func worstOf(findings []finding.Finding) finding.Severity {
	worst := finding.Info
	for _, f := range findings {
		if f.Severity.Rank() > worst.Rank() {
			worst = f.Severity
		}
	}
	return worst
}

// area finds or adds the area with the name.
func (o *Outcome) area(name string) *Area {
	i := slices.IndexFunc(o.Areas, func(a Area) bool { return a.Name == name })
	if i < 0 {
		i = len(o.Areas)
		o.Areas = append(o.Areas, Area{Name: name})
	}
	return &o.Areas[i]
}

func (a *Area) add(status finding.Status, worst finding.Severity) {
	switch {
	case status == finding.Passed:
		a.Passed++
	case status == finding.Skipped:
		a.Skipped++
	case status == finding.Broken:
		a.Broken++
	case worst.AtLeast(finding.Error):
		a.Failed++
	default:
		a.Warned++
	}
}

// metrics adds the score and the counts to the report, for programs.
func (o *Outcome) metrics() {
	o.Report.Metrics = map[string]float64{"score": float64(o.Score)}
	for _, a := range o.Areas {
		for name, n := range map[string]int{"passed": a.Passed, "failed": a.Failed, "warned": a.Warned,
			"skipped": a.Skipped, "broken": a.Broken} {
			o.Report.Metrics[a.Name+"."+name] = float64(n)
		}
	}
}

package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// conclude derives the verdict from the areas: the worst grade, whether that fails, and what to run next.
func (c *checkRun) conclude(g *gate) {
	r := c.result
	r.grade()
	if r.Grade != "" {
		c.report.Metrics["grade"] = float64(strings.Index("FDCBA", r.Grade))
	}
	why, failed := g.fails(r)
	switch {
	case r.lost != nil:
		r.Word, r.Why = CheckUnreachable, r.lost.Error()
	case failed:
		r.Word, r.Why = CheckFailed, why
	case slices.ContainsFunc(r.Areas, func(a Area) bool { return a.State == Incomplete }):
		r.Word = CheckIncomplete
	default:
		r.Word = CheckPassed
	}
	r.Fails = r.Word != CheckPassed
	r.Opts.Counts = func(f finding.Finding) bool { return r.Word == CheckFailed && g.counts(r, f) }
	r.Reason = r.reason()
	r.Groups, r.Opts.Verdict = r.groups(), r.verdict()
	c.next()
}

// grade sets the grades of the areas from the remaining findings, and that of the server: the worst of them. An
// A requires every applicable area to be tested. Without a grade for the protocol, or with an incomplete area
// below its minimum, the server has a grade only if the findings are enough for a C or worse: more testing can
// only lower it.
func (r *Result) grade() {
	known := len(r.Areas) > 0
	for i := range r.Areas {
		a := &r.Areas[i]
		found := gradeOf(r.findings(a.Name))
		if a.Grade != "" {
			a.Grade = found
		}
		r.Grade = worse(r.Grade, found)
		if a.State == Graded || a.About == "" {
			a.About = countFindings(r.findings(a.Name))
		}
		switch {
		case a.absent:
		case a.Grade == "" && (a.State == Incomplete || a.Name == "protocol"):
			known = false
		case a.untested() != "":
			r.Grade = worse(r.Grade, "B")
		}
	}
	if !known && r.Grade < "C" {
		r.Grade = ""
	}
}

// countFindings counts findings in words, with those of the SDK and warnings that do not affect the grade listed separately.
func countFindings(findings []finding.Finding) string {
	var own []finding.Finding
	foreign, advises := 0, 0
	for _, f := range findings {
		switch {
		case f.Severity == finding.Warning && isAdvice(f):
			advises++
		case f.Origin != "":
			foreign++
		default:
			own = append(own, f)
		}
	}
	var parts []string
	if len(own) > 0 {
		parts = append(parts, report.Summarize(&finding.Report{Results: []finding.Result{{Findings: own}}}, nil).Found())
	}
	if foreign > 0 {
		parts = append(parts, fmt.Sprintf("%d from the SDK", foreign))
	}
	if advises > 0 {
		parts = append(parts, workbench.Plural(advises, "advisory warning"))
	}
	return cmp.Or(strings.Join(parts, ", "), "no findings")
}

// next lists commands that help with the findings.
func (c *checkRun) next() {
	r := c.result
	if c.in.Session() != nil || r.lost != nil {
		return
	}
	target := c.in.Connection.Words()
	worth := func(area string, and func(finding.Finding) bool) bool {
		return slices.ContainsFunc(r.findings(area),
			func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Warning) && and(f) })
	}
	any := func(finding.Finding) bool { return true }
	switch {
	case worth("schemas", func(f finding.Finding) bool { return len(f.Fixes) > 0 }):
		r.Next = append(r.Next, "mcptest schema-lint --fix "+target)
	case worth("schemas", any):
		r.Next = append(r.Next, "mcptest schema-lint "+target)
	}
	if worth("robustness", any) {
		r.Next = append(r.Next, "mcptest fuzz --out found "+target)
	}
	if worth("protocol", any) {
		r.Next = append(r.Next, "mcptest conform --verbose "+target)
	}
	if slices.ContainsFunc(r.Report.Findings(), func(f finding.Finding) bool { return f.Rule == "LOCK-001" }) {
		r.Next = append([]string{"mcptest diff " + workbench.QuoteWord(c.in.lockFile()+"#"+c.lockedAs) + " " + target,
			"mcptest approve " + target}, r.Next...)
	}
	if len(r.Next) == 0 {
		r.Next = append(r.Next, "mcptest init "+target, "mcptest inspect "+target)
	}
}

// sentence is the last line of a verdict.
func (r *Result) sentence() string {
	var rest []string
	for _, a := range r.Areas {
		if a.State != Graded {
			rest = append(rest, a.Name+" "+string(a.State))
		}
	}
	line := string(r.Word) + ", no grade"
	if r.Grade != "" {
		line = fmt.Sprintf("%s, grade %s", r.Word, r.Grade)
	}
	if r.Word == CheckFailed && (r.Grade < "C" || r.Why == r.overBudget) {
		line += " (" + r.Why + ")"
	}
	if len(rest) > 0 && r.lost == nil {
		line += "; " + strings.Join(rest, ", ")
	}
	return line
}

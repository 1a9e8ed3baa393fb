package fuzz

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// result creates the report: one result per property, with its findings.
func (r *runner) result() *Result {
	report := &finding.Report{Engine: "fuzz", Target: r.opts.Target, Version: r.opts.Version, Started: r.started,
		Rules: Rules()}
	out := &Result{Report: report, Slow: r.reportSlow(), NoCalls: r.noArguments, Failing: r.reportFailing(), Skipped: r.skipped, Unsure: r.unsure, Ended: r.ended,
		Late: r.late}
	byRule := map[string][]finding.Finding{}
	counts := map[string]float64{}
	for _, key := range r.order {
		f := r.found[key]
		out.Found = append(out.Found, f)
		byRule[f.Rule.ID] = append(byRule[f.Rule.ID], f.finding())
		counts[class(f.Rule.ID)]++
	}
	for _, rule := range Rules() {
		result := finding.Result{Rule: rule.ID, Name: rule.Title(), Findings: byRule[rule.ID]}
		if rule.ID == "FUZZ-012" && !r.opts.Wire {
			result.Skipped = "frame tests not enabled (--wire)"
		}
		if rule.ID == "FUZZ-013" && !r.opts.Stateful {
			result.Skipped = "session lifecycle tests not enabled (--stateful)"
		}
		report.Results = append(report.Results, result)
	}
	for _, name := range slices.Sorted(maps.Keys(r.skipped)) {
		report.Results = append(report.Results, finding.Result{Name: "tool " + name, Skipped: r.skipped[name]})
	}
	report.Metrics = map[string]float64{"cases_run": float64(r.done), "crashes": counts["crashes"],
		"hangs":      counts["hangs"],
		"violations": counts["violations"], "leaks": counts["leaks"], "tools": float64(len(r.tools)),
		"seed": float64(r.opts.Seed)}
	r.results.report(report.Metrics)
	return out
}

// class is the metric that a rule counts toward.
func class(rule string) string {
	switch rule {
	case "FUZZ-001", "FUZZ-009", "FUZZ-012":
		return "crashes"
	case "FUZZ-002":
		return "hangs"
	case "FUZZ-007", "FUZZ-010":
		return "leaks"
	}
	return "violations"
}

// when returns the case in which the defect was first found.
func (f *Found) when() string {
	if f.Cases == 0 {
		return ""
	}
	return fmt.Sprintf(" (case %d)", f.Cases)
}

// finding is the defect in report form.
func (f *Found) finding() finding.Finding {
	out := finding.Finding{Rule: f.Rule.ID, Severity: f.Severity, Message: f.Breach}
	if f.Rule.ID == "FUZZ-002" {
		out.Message += f.before()
	}
	if len(f.Steps) > 0 {
		out.Where.Subject = f.Steps[len(f.Steps)-1].Tool
	}
	for i, s := range f.Steps {
		label := "call"
		if len(f.Steps) > 1 {
			label = fmt.Sprintf("step %d", i+1)
		}
		if s.Cancel {
			label += " (cancelled immediately)"
		}
		if s.Times > 1 {
			label += fmt.Sprintf(" (%d times)", s.Times)
		}
		switch s.Kind {
		case frameKind:
			label, s.Tool = "frame", s.Description
		case sessionKind:
			continue
		}
		out.Evidence = append(out.Evidence, fmt.Sprintf("%s: %s %s", label, s.Tool,
			clip.Sized(string(s.Arguments), maxDisplayed)))
	}
	out.Calls = f.calls()
	out.Evidence = append(out.Evidence, f.Frames...)
	if n := len(f.Steps); n > 0 && f.Steps[n-1].Description != "" {
		out.Evidence = append(out.Evidence, "found with: "+f.Steps[n-1].Description+f.when())
	}
	switch {
	case f.Unrepeated:
		out.Evidence = append(out.Evidence, "not repeated in a new session: the time for it was over")
	case !f.Repeats:
		out.Evidence = append(out.Evidence, "not reproducible in a new session")
	}
	if f.Times > 1 {
		out.Evidence = append(out.Evidence, fmt.Sprintf("found %d times", f.Times))
	}
	if said := strings.TrimSpace(f.Stderr); said != "" {
		out.Evidence = append(out.Evidence, "stderr: "+said)
	}
	return out
}

// before describes the calls after which a call hangs. If most of them failed, they probably keep what the call needs.
func (f *Found) before() string {
	steps := f.Unfolded()
	if len(steps) < 2 {
		return ""
	}
	earlier, last := steps[:len(steps)-1], steps[len(steps)-2]
	text := " after another call"
	switch n := len(earlier); {
	case n > 1 && slices.ContainsFunc(earlier, func(s Step) bool { return s.Tool != last.Tool }):
		text = fmt.Sprintf(" after %d other calls", n)
	case n > 1:
		text = fmt.Sprintf(" after %d calls of %s", n, last.Tool)
	}
	shown := ": " + last.Tool + " " + clip.Sized(string(last.Arguments), maxDisplayed)
	switch {
	case 2*f.FailedBefore <= len(earlier):
		return text + shown
	case f.FailedBefore < len(earlier):
		text += fmt.Sprintf(", %d of which failed", f.FailedBefore)
	default:
		text += " that failed"
	}
	return text + shown + "; release locks and connections also if a call fails (finally, defer)"
}

// calls are the calls that show the defect; nil if one of them is not a plain call, or too long for a report.
func (f *Found) calls() []finding.Call {
	var all []finding.Call
	for _, s := range f.Steps {
		if s.Kind == sessionKind {
			continue
		}
		if s.Kind == frameKind || s.Cancel || len(s.Arguments) > maxDisplayed {
			return nil
		}
		one := finding.Call{Tool: s.Tool, Arguments: s.Arguments}
		if s.Times > 1 {
			one.Times = s.Times
		}
		all = append(all, one)
	}
	return all
}

package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A fleetBaseline is the baseline for several servers, which are checked one after another.
type fleetBaseline struct {
	accepted *report.Baseline // nil if all current findings are accepted
	found    finding.Report   // the current findings, if they are accepted
	applied  report.Applied
}

// fleetBaseline reads the baseline for several servers; nil without one.
func (in *Input) fleetBaseline() (*fleetBaseline, error) {
	switch {
	case in.Baseline == "":
		return nil, nil
	case in.WriteBaseline:
		return &fleetBaseline{}, nil
	}
	accepted, err := report.ReadBaseline(in.Baseline)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "use {--write-baseline} to create it"}
	}
	return &fleetBaseline{accepted: accepted}, nil
}

// filter removes the accepted findings from the report on a server.
func (b *fleetBaseline) filter(r *finding.Report) {
	accepted := b.accepted
	if accepted == nil {
		b.found.Results = append(b.found.Results, slices.Clone(r.Results)...)
		accepted = report.NewBaseline(r)
	}
	b.applied.Suppressed += accepted.Filter(r).Suppressed
}

// write accepts the current findings, if requested.
func (b *fleetBaseline) write(w *workbench.Workbench, in *Input) error {
	if !in.WriteBaseline {
		return nil
	}
	baseline := report.NewBaseline(&b.found)
	if err := baseline.Write(in.Baseline); err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	w.Event(workbench.Event{Notice: fmt.Sprintf("%s accepts %s", in.Baseline,
		workbench.Plural(len(baseline.Entries()), "finding"))})
	return nil
}

// merge merges the reports on several servers.
func (t *Table) merge(version string, reports []*Result) *workbench.ReportResult {
	type key struct{ rule, subject, pointer, message string }
	counted := map[key]bool{}
	of := func(f finding.Finding) key { return key{f.Rule, f.Where.Subject, f.Where.Pointer, f.Message} }
	merged := &finding.Report{Engine: "check", Target: workbench.Plural(len(t.Rows), "server"), Version: version,
		Started: time.Now(), Metrics: map[string]float64{}}
	known := map[string]bool{}
	for i, row := range t.Rows {
		one := finding.Result{Name: row.Name + ": " + cmp.Or(string(row.Verdict), "not checked"), Broken: "",
			Skipped: ""}
		r := reports[i]
		switch {
		case row.Verdict == "":
			one.Skipped = row.Why
		case row.Verdict == CheckUnreachable:
			one.Broken = row.Why
		case r.Word == CheckIncomplete:
			one.Broken = r.sentence()
		}
		merged.Results = append(merged.Results, one)
		if r == nil {
			continue
		}
		for _, rule := range r.Report.Rules {
			if !known[rule.ID] {
				known[rule.ID] = true
				merged.Rules = append(merged.Rules, rule)
			}
		}
		for _, result := range r.Report.Results {
			if result.Status() == finding.Skipped || row.Verdict == CheckUnreachable {
				continue
			}
			result.Name = row.Name + ": " + cmp.Or(result.Rule, result.Name)
			merged.Results = append(merged.Results, result)
			for _, f := range result.Findings {
				counted[of(f)] = counted[of(f)] || r.Opts.Counts(f)
			}
		}
	}
	if len(t.Between) > 0 {
		merged.Results = append(merged.Results, finding.Result{Name: "between servers of the same host",
			Findings: t.Between})
	}
	out := &workbench.ReportResult{Report: merged, Fails: t.failed()}
	out.Opts.Counts = func(f finding.Finding) bool {
		_, ours := counted[of(f)]
		return counted[of(f)] || !ours && t.strict
	}
	out.Opts.Verdict = t.verdict()
	return out
}

// verdict returns the verdict on several servers for reports.
func (t *Table) verdict() *report.Verdict {
	count := map[Word]int{}
	v := &report.Verdict{Head: append([]string{"server", "verdict", "grade"}, append(areaNames, "why")...)}
	for _, r := range t.Rows {
		count[r.Verdict]++
		v.Rows = append(v.Rows, []string{r.Name, cmp.Or(string(r.Verdict), "not checked"), cmp.Or(r.Grade, "–"),
			cmp.Or(r.Areas["protocol"], "–"), cmp.Or(r.Areas["schemas"], "–"), cmp.Or(r.Areas["robustness"], "–"),
			r.Why})
	}
	var words []string
	for _, word := range []Word{CheckPassed, CheckFailed, CheckIncomplete, CheckUnreachable} {
		if count[word] > 0 {
			words = append(words, fmt.Sprintf("%d %s", count[word], word))
		}
	}
	v.Line = fmt.Sprintf("%s: %s", workbench.Plural(len(t.Rows), "server"), strings.Join(words, ", "))
	return v
}

package workbench

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A ReportInput names JSON reports.
type ReportInput struct {
	Paths  []string `json:"paths" cli:"rest" placeholder:"FILE" jsonschema:"reports written by --reporter json=FILE or --format json"`
	Format string   `json:"format,omitempty" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
}

// ReportShow shows a report in another format.
var ReportShow = Op[ReportInput, *Judged]{
	Uses: Color,
	Name: "report", Doc: "Convert a report to another format",
	Example: "mcptest report run.json --format markdown",
	Run:     func(_ context.Context, w *Workbench, in *ReportInput) (*Judged, error) { return w.rendered(in, false) },
	Text:    writeJudged,
}

// ReportMerge merges several reports.
var ReportMerge = Op[ReportInput, *Judged]{
	Uses: Color | IsJSON,
	Name: "report merge", Doc: "Merge several reports, for example from shards",
	Example: "mcptest report merge shard-1.json shard-2.json --format html",
	Run: func(_ context.Context, w *Workbench, in *ReportInput) (*Judged, error) {
		if in.Format == "" {
			in.Format = "json"
		}
		return w.rendered(in, true)
	},
	Text: writeJudged,
}

func (w *Workbench) rendered(in *ReportInput, merge bool) (*Judged, error) {
	switch {
	case len(in.Paths) == 0:
		return nil, &UsageError{Message: "missing report file", Hint: "run: {mcptest report run.json --format html}"}
	case len(in.Paths) > 1 && !merge:
		return nil, &UsageError{Message: fmt.Sprintf("expected one report, got %d", len(in.Paths)), Hint: "use mcptest report merge to merge several reports"}
	}
	all, err := w.readReports(in.Paths)
	if err != nil {
		return nil, err
	}
	shown := &Judging{Format: in.Format}
	if err := shown.check(); err != nil {
		return nil, err
	}
	return shown.judged(w, merged(all), report.Options{})
}

// readReports reads files. A report that was already read counts once, whatever its file name: a glob and a
// name may both match it.
func (w *Workbench) readReports(paths []string) ([]*finding.Report, error) {
	var all []*finding.Report
	for _, path := range paths {
		r, err := w.readReport(path)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(all, func(known *finding.Report) bool { return reflect.DeepEqual(known, r) }); at >= 0 {
			w.event(Event{Notice: fmt.Sprintf("%s contains the same report as another file and is counted once", path)})
			continue
		}
		all = append(all, r)
	}
	return all, nil
}

// merged merges several reports: all results, each rule once, counts added up.
func merged(all []*finding.Report) *finding.Report {
	out := *all[0]
	out.Results, out.Rules, out.Metrics = nil, nil, map[string]float64{}
	var targets []string
	for _, r := range all {
		out.Results = append(out.Results, r.Results...)
		for _, rule := range r.Rules {
			if !slices.ContainsFunc(out.Rules, func(known finding.Rule) bool { return known.ID == rule.ID }) {
				out.Rules = append(out.Rules, rule)
			}
		}
		for name, value := range maps.All(r.Metrics) {
			out.Metrics[name] += value
		}
		if r.Started.Before(out.Started) {
			out.Started = r.Started
		}
		if !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
	}
	out.Target = strings.Join(targets, ", ")
	return &out
}

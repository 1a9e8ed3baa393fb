package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ReportInput names JSON reports.
type ReportInput struct {
	Paths  []string `json:"paths" cli:"rest" placeholder:"FILE" jsonschema:"reports written by --reporter json=FILE or --format json"`
	Format string   `json:"format,omitempty" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
}

// ReportShow shows a report in another format.
var ReportShow = workbench.Op[ReportInput, *workbench.ReportResult]{
	Uses: workbench.Color,
	Name: "report", Section: workbench.Maintain, Order: 50,
	Doc:     "Convert a report to another format",
	Example: "mcptest report run.json --format markdown",
	Run: func(ctx context.Context, w *workbench.Workbench, in *ReportInput) (*workbench.ReportResult, error) {
		return rendered(ctx, w, in, false)
	},
	Text: workbench.WriteReport,
}

// ReportMerge merges several reports.
var ReportMerge = workbench.Op[ReportInput, *workbench.ReportResult]{
	Uses: workbench.Color | workbench.IsJSON,
	Name: "report merge", Doc: "Merge several reports, for example from shards\n\n" +
		"Coverage of shards is evaluated for all of them. Exits with 1 if it is too low.",
	Example: "mcptest report merge shard-1.json shard-2.json --format html",
	Run: func(ctx context.Context, w *workbench.Workbench, in *ReportInput) (*workbench.ReportResult, error) {
		if in.Format == "" {
			in.Format = "json"
		}
		return rendered(ctx, w, in, true)
	},
	Text: workbench.WriteReport,
}

func rendered(ctx context.Context, w *workbench.Workbench, in *ReportInput, merge bool) (*workbench.ReportResult, error) {
	switch {
	case len(in.Paths) == 0:
		return nil, &workbench.UsageError{Message: "missing report file",
			Hint: "run: {mcptest report run.json --format html}"}
	case len(in.Paths) > 1 && !merge:
		return nil, &workbench.UsageError{Message: fmt.Sprintf("expected one report, got %d", len(in.Paths)),
			Hint: "use mcptest report merge to merge several reports"}
	}
	all, err := readReports(w, in.Paths)
	if err != nil {
		return nil, err
	}
	shown := &workbench.RuleOptions{Format: in.Format}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	whole := merged(all)
	uncovered, err := suite.DecideCoverage(ctx, whole, all)
	if err != nil {
		return nil, err
	}
	result, err := shown.Report(w, whole, report.Options{})
	if err == nil {
		result.Fails = uncovered // the shards have failed for all else
	}
	return result, err
}

// readReports reads files. A report that was already read counts once, whatever its file name: a glob and a
// name may both match it.
func readReports(w *workbench.Workbench, paths []string) ([]*finding.Report, error) {
	var all []*finding.Report
	for _, path := range paths {
		r, err := ReadReport(w, path)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(all, func(known *finding.Report) bool {
			return reflect.DeepEqual(known,
				r)
		}); at >= 0 {
			w.Event(workbench.Event{Notice: fmt.Sprintf("%s contains the same report as another file and is counted "+
				"once", path)})
			continue
		}
		all = append(all, r)
	}
	return all, nil
}

// merged merges several reports: all results, each rule once, counts added up.
func merged(all []*finding.Report) *finding.Report {
	out := *all[0]
	out.Results, out.Rules, out.Metrics, out.Coverage = nil, nil, map[string]float64{}, nil
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

// ReadReport reads a JSON report.
func ReadReport(w *workbench.Workbench, path string) (*finding.Report, error) {
	data, err := w.ReadFile(path)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(),
			Hint: "use a file written by {--reporter} json=FILE or {--format} json"}
	}
	r := &finding.Report{}
	if err := json.Unmarshal(data, r); err != nil || r.Engine == "" {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("not an mcptest JSON report: %s", path),
			Hint: "use a file written by {--reporter} json=FILE or {--format} json"}
	}
	return r, nil
}

package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A TrendInput names the JSON reports of several runs.
type TrendInput struct {
	Paths  []string `json:"paths" cli:"rest" placeholder:"FILE" jsonschema:"reports written by --reporter json=FILE or --format json, in any order"`
	Format string   `json:"format,omitempty" placeholder:"FORMAT" jsonschema:"text, json, html (a page with the history) or badge (an SVG image of the last run)"`
}

// A TrendResult is a trend in a format.
type TrendResult struct {
	*report.Trend
	format string
}

// RawJSON returns the trend.
func (r *TrendResult) RawJSON() []byte {
	text, _ := json.MarshalIndent(r.Trend, "", "  ") // plain data always marshals
	return text
}

// maxTrendFiles is the maximum number of reports of a trend.
const maxTrendFiles = 1000

// ReportTrend compares the reports of several runs.
var ReportTrend = workbench.Op[TrendInput, *TrendResult]{
	Name: "report trend", Doc: "Compare the reports of several runs\n\n" +
		"Shows tests, failures and durations of each run, and which tests are newly failing, fixed or flaky.",
	Example: "mcptest report trend runs/1.json runs/2.json --format html",
	Run:     trend,
	Text: func(out io.Writer, r *TrendResult) error {
		if r.format == "json" {
			_, err := fmt.Fprintf(out, "%s\n", r.RawJSON())
			return err
		}
		return report.WriteTrend(out, r.format, r.Trend)
	},
}

func trend(_ context.Context, w *workbench.Workbench, in *TrendInput) (*TrendResult, error) {
	switch {
	case len(in.Paths) == 0:
		return nil, &workbench.UsageError{Message: "missing report file",
			Hint: "run: {mcptest report trend runs/1.json runs/2.json}"}
	case len(in.Paths) > maxTrendFiles:
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%d reports, expected at most %d", len(in.Paths), maxTrendFiles)}
	case in.Format != "" && !slices.Contains(report.TrendFormats, in.Format):
		return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown format %q", in.Format),
			Hint: hint.Text("use one of " + strings.Join(report.TrendFormats, ", "))}
	}
	all, err := readReports(w, in.Paths)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(r *finding.Report) bool { return r.Engine != all[0].Engine }); i >= 0 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("the reports are of different kinds: %s and %s", all[0].Engine,
			all[i].Engine), Hint: "compare reports of the same command"}
	}
	return &TrendResult{Trend: report.NewTrend(all), format: in.Format}, nil
}

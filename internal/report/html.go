package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

//go:embed html.tmpl html.css html.js trend.tmpl
var htmlFiles embed.FS

// A htmlPage is the data of the template.
type htmlPage struct {
	Title, Summary, Version, Started string
	CSS                              template.CSS
	JS                               template.JS
	Failed                           bool
	Counts                           []htmlCount
	Rows                             []htmlRow
	Bars                             []htmlBar
	Metrics                          []htmlMetric
	Verdict                          *Verdict
}

type htmlCount struct {
	Name string
	N    int
}

type htmlMetric struct {
	Name  string
	Value float64
}

// A htmlRow is one result.
type htmlRow struct {
	Name, Status, Why, Elapsed string
	Attempts                   int
	Findings                   []htmlFinding
}

type htmlFinding struct {
	Rule, Severity, Where string
	Text, Reproduce       string
	Evidence              []string
	Counts                bool
	Frames                []htmlFrame
}

type htmlFrame struct {
	Seq  int
	Text string
}

// A htmlBar is a row of the chart: the duration of a result, relative to the longest.
type htmlBar struct {
	Name, Elapsed string
	Percent       float64
}

// maxBars is how many results the chart shows.
const maxBars = 20

// writeHTML writes one self-contained file: counts, a filter, the slowest results as a chart, and every failure with
// its frames. Text from servers is escaped and never used as markup.
func writeHTML(w io.Writer, r *finding.Report, o *Options) error {
	page, err := htmlFiles.ReadFile("html.tmpl")
	if err != nil {
		return err
	}
	t, err := template.New("report").Parse(string(page))
	if err != nil {
		return err
	}
	css, err := htmlFiles.ReadFile("html.css")
	if err != nil {
		return err
	}
	js, err := htmlFiles.ReadFile("html.js")
	if err != nil {
		return err
	}
	s := Summarize(r, o)
	data := htmlPage{Title: escapeControl(fmt.Sprintf("%s: %s", r.Engine, r.Target)), Summary: s.String(),
		Version: escapeControl(r.Version),
		CSS:     template.CSS(css), JS: template.JS(js), Failed: s.Failed+s.Broken > 0,
		Counts: []htmlCount{{"passed", s.Passed}, {"failed", s.Failed}, {"broken", s.Broken}, {"skipped", s.Skipped}},
		Bars:   bars(r), Verdict: o.Verdict}
	if !r.Started.IsZero() {
		data.Started = r.Started.UTC().Format(time.RFC1123)
	}
	for _, result := range r.Results {
		data.Rows = append(data.Rows, htmlResult(r, result, o))
	}
	for name, value := range r.Metrics {
		data.Metrics = append(data.Metrics, htmlMetric{escapeControl(name), value})
	}
	slices.SortFunc(data.Metrics, func(a, b htmlMetric) int { return strings.Compare(a.Name, b.Name) })
	return t.Execute(w, data)
}

func htmlResult(r *finding.Report, result finding.Result, o *Options) htmlRow {
	row := htmlRow{Name: escapeControl(title(result, r.Rules)), Status: string(o.status(result)),
		Attempts: result.Attempts,
		Why:      escapeControl(result.Broken + result.Skipped)}
	if result.Elapsed > 0 {
		row.Elapsed = shortTime(result.Elapsed)
	}
	for _, f := range result.Findings {
		shown := htmlFinding{Rule: escapeControl(f.Rule), Severity: escapeControl(string(f.Severity)),
			Where: escapeControl(locationText(f.Where)),
			Text:  strings.Join(visibleLines(f.Detail()), "\n"), Counts: o.counts(f), Evidence: visibleAll(f.Evidence),
			Reproduce: escapeControl(f.Reproduce)}
		for _, seq := range f.Where.Frames {
			if o.Frame == nil {
				break
			}
			if text, ok := o.Frame(seq); ok {
				if o.Scrub != nil {
					text = o.Scrub(text)
				}
				shown.Frames = append(shown.Frames, htmlFrame{seq, strings.Join(visibleLines(text), "\n")})
			}
		}
		row.Findings = append(row.Findings, shown)
	}
	return row
}

func visibleAll(lines []string) []string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.Join(visibleLines(line), "\n"))
	}
	return all
}

func bars(r *finding.Report) []htmlBar {
	sorted := slices.Clone(r.Results)
	slices.SortStableFunc(sorted, func(a, b finding.Result) int { return int(b.Elapsed - a.Elapsed) })
	var all []htmlBar
	for _, result := range sorted[:min(len(sorted), maxBars)] {
		if result.Elapsed > 0 {
			all = append(all, htmlBar{escapeControl(title(result, r.Rules)), shortTime(result.Elapsed),
				max(0.5, 100*float64(result.Elapsed)/float64(sorted[0].Elapsed))})
		}
	}
	return all
}

func shortTime(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

package load

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
)

//go:embed chart.tmpl
var chartPage string

// A chart is lines over the same axis, ready to be drawn.
type chart struct {
	Title, Unit  string
	Top          string // what the upper edge stands for
	Left, Right  string // what the ends of the axis stand for
	Lines        []chartLine
	Width, Depth int
}

type chartLine struct {
	Name, Class string
	Points      string // as SVG has them
	Last        string
}

// The size of a chart, in units of its own.
const (
	chartWidth = 600
	chartDepth = 160
)

// WriteHTML writes a page that needs no other file: the figures, charts of the run and of the distribution, the findings.
// What servers said is text in it, never markup. scrub takes secrets out of it and may be nil.
func WriteHTML(w io.Writer, r *finding.Report, s *Summary, calls []string, scrub func(string) string) error {
	if scrub == nil {
		scrub = func(text string) string { return text }
	}
	show := func(text string) string { return report.Visible(scrub(text)) }
	t, err := template.New("load").Funcs(template.FuncMap{"show": show, "ms": func(ms float64) string { return number(ms) + " ms" }, "number": number}).Parse(chartPage)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{"Report": r, "Summary": s, "Calls": calls, "Charts": charts(s), "Started": s.Started.UTC().Format(time.RFC1123),
		"Failed": slices.ContainsFunc(r.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) })})
}

func charts(s *Summary) []chart {
	times := make([]float64, len(s.Series))
	for i, p := range s.Series {
		times[i] = p.Seconds
	}
	of := func(get func(Point) float64) []float64 {
		values := make([]float64, len(s.Series))
		for i, p := range s.Series {
			values[i] = get(p)
		}
		return values
	}
	end := "0 s"
	if len(times) > 0 {
		end = number(times[len(times)-1]) + " s"
	}
	return []chart{
		draw(chart{Title: "Latency over time", Unit: "ms", Left: "0 s", Right: end}, times, map[string][]float64{
			"p50": of(func(p Point) float64 { return p.P50 }), "p95": of(func(p Point) float64 { return p.P95 }), "p99": of(func(p Point) float64 { return p.P99 })}),
		draw(chart{Title: "Calls over time", Unit: "/s", Left: "0 s", Right: end}, times, map[string][]float64{
			"rate": of(func(p Point) float64 { return p.Rate }), "errors": of(func(p Point) float64 { return p.Rate * float64(p.Errors) / math.Max(float64(p.Calls), 1) })}),
		distribution(s.Curve),
	}
}

// distribution draws the times by percentile; the axis stretches towards 100 %, where it matters.
func distribution(curve []Quantile) chart {
	var at, values []float64
	for _, q := range curve {
		at = append(at, -math.Log10(math.Max(1-q.Percent/100, 1e-5)))
		values = append(values, q.MS)
	}
	return draw(chart{Title: "Distribution", Unit: "ms", Left: "0 %", Right: "90 % at 1/5, 99 % at 2/5, 99.9 % at 3/5 … 100 %"}, at, map[string][]float64{"latency": values})
}

// draw places the values of each line.
func draw(c chart, at []float64, lines map[string][]float64) chart {
	c.Width, c.Depth = chartWidth, chartDepth
	top, right := 0.0, 0.0
	for _, values := range lines {
		for i, v := range values {
			top, right = math.Max(top, v), math.Max(right, at[i])
		}
	}
	c.Top = number(top) + " " + c.Unit
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var points strings.Builder
		last := 0.0
		for i, v := range lines[name] {
			fmt.Fprintf(&points, "%.1f,%.1f ", at[i]/math.Max(right, 1e-9)*chartWidth, chartDepth-v/math.Max(top, 1e-9)*chartDepth)
			last = v
		}
		c.Lines = append(c.Lines, chartLine{Name: name, Class: name, Points: strings.TrimSpace(points.String()), Last: number(last)})
	}
	return c
}

// number shows a number with three digits.
func number(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

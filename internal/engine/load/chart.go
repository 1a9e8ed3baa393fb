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

// A chart is a set of lines over the same axis, ready to be drawn.
type chart struct {
	Title        string
	X, Y         []tick
	Lines        []chartLine
	Width, Depth int
}

// A tick is a position on an axis with its label.
type tick struct {
	Label string
	At    float64 // in units of the chart, from the left or from the top
	Share float64 // in percent of the axis
}

type chartLine struct {
	Name   string
	Points string // as SVG has them
}

// A curve is the values of a line and their positions on the axis.
type curve struct {
	name       string
	at, values []float64
}

// The size of a chart, in its own units. Lines are drawn within the margin, so that none is clipped.
const (
	chartWidth  = 600
	chartDepth  = 160
	chartMargin = 3
)

// WriteHTML writes a self-contained page: the figures, charts of the run and of the distribution, the findings. Text
// from servers is escaped, never markup. scrub removes secrets and may be nil.
func WriteHTML(w io.Writer, r *finding.Report, s *Summary, calls []string, scrub func(string) string) error {
	if scrub == nil {
		scrub = func(text string) string { return text }
	}
	show := func(text string) string { return report.Visible(scrub(text)) }
	t, err := template.New("load").Funcs(template.FuncMap{"show": show,
		"ms": func(ms float64) string { return number(ms) + " ms" }, "number": number}).Parse(chartPage)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{"Report": r, "Summary": s, "Calls": calls, "Charts": charts(s),
		"Started": s.Started.UTC().Format(time.RFC1123),
		"Failed": slices.ContainsFunc(r.Findings(),
			func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) })})
}

func charts(s *Summary) []chart {
	end := 0.0
	for _, p := range s.Series {
		end = max(end, p.Seconds)
	}
	// An interval without a response has no latency to show, while its rate is 0.
	line := func(name string, always bool, get func(Point) float64) curve {
		c := curve{name: name}
		for _, p := range s.Series {
			if always || p.Calls > 0 {
				c.at, c.values = append(c.at, p.Seconds), append(c.values, get(p))
			}
		}
		return c
	}
	seconds := scale(end, "s", false)
	return []chart{
		draw("Latency over time", "ms", end, seconds, line("p50", false, func(p Point) float64 { return p.P50 }),
			line("p95", false, func(p Point) float64 { return p.P95 }),
			line("p99", false, func(p Point) float64 { return p.P99 })),
		draw("Responses over time", "/s", end, seconds,
			line("responses", true, func(p Point) float64 { return p.Rate }),
			line("errors", true, func(p Point) float64 {
				return p.Rate * float64(p.Errors) / math.Max(float64(p.Calls),
					1)
			})),
		distribution(s.Curve),
	}
}

// nines is the position of a percentile on an axis that stretches toward 100 %, where it matters.
func nines(percent float64) float64 { return -math.Log10(math.Max(1-percent/100, 1e-5)) }

// distribution draws the latencies by percentile.
func distribution(quantiles []Quantile) chart {
	c := curve{name: "latency"}
	for _, q := range quantiles {
		c.at, c.values = append(c.at, nines(q.Percent)), append(c.values, q.MS)
	}
	var ticks []tick
	for _, percent := range []float64{0, 90, 99, 99.9, 100} {
		share := nines(percent) / nines(100)
		ticks = append(ticks, tick{fmt.Sprintf("%v %%", percent), share * chartWidth, 100 * share})
	}
	return draw("Distribution", "ms", nines(100), ticks, c)
}

// draw positions lines. Their axis ends at right.
func draw(title, unit string, right float64, x []tick, lines ...curve) chart {
	c := chart{Title: title, X: x, Width: chartWidth, Depth: chartDepth}
	top := 0.0
	for _, line := range lines {
		for _, v := range line.values {
			top = max(top, v)
		}
	}
	top = roundUp(top)
	c.Y = scale(top, unit, true)
	for _, line := range lines {
		var points strings.Builder
		for i, v := range line.values {
			fmt.Fprintf(&points, "%.1f,%.1f ", line.at[i]/math.Max(right, 1e-9)*chartWidth, height(v/top))
		}
		c.Lines = append(c.Lines, chartLine{Name: line.name, Points: strings.TrimSpace(points.String())})
	}
	return c
}

// height is the distance from the top for a fraction of the whole.
func height(share float64) float64 { return chartMargin + (1-share)*(chartDepth-2*chartMargin) }

// roundUp is the next round number: 1, 2 or 5 followed by zeros.
func roundUp(v float64) float64 {
	if v <= 0 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 2, 5} {
		if v <= factor*unit {
			return factor * unit
		}
	}
	return 10 * unit
}

// scale divides an axis into quarters.
func scale(end float64, unit string, upright bool) []tick {
	var all []tick
	for quarter := range 5 {
		share := float64(quarter) / 4
		t := tick{number(end*share) + " " + unit, share * chartWidth, 100 * share}
		if upright {
			t.At = height(share)
			t.Share = 100 * t.At / chartDepth
		}
		all = append(all, t)
	}
	return all
}

// number formats a number with three digits.
func number(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

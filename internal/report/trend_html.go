package report

import (
	"fmt"
	"html/template"
	"io"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// maxTrendRuns is how many runs the page and the chart show: the last ones.
const maxTrendRuns = 50

type trendPage struct {
	Title string
	CSS   template.CSS
	Runs  []trendBar
	Lists []trendList
	Tests []trendTest
	Width int
	Heads []string
}

// A trendBar is one run: a column of the chart, and a row of the table.
type trendBar struct {
	Started            string
	Cells              []string
	X                  int
	Passed, Bad, Other int // heights in the chart
}

// A trendTest is a test that did not pass every time.
type trendTest struct {
	Name     string
	Statuses []string
}

// barWidth and barHeight are the size of a column in the chart.
const barWidth, barHeight = 16, 120

func writeTrendHTML(w io.Writer, t *Trend) error {
	css, err := htmlFiles.ReadFile("html.css")
	if err != nil {
		return err
	}
	text, err := htmlFiles.ReadFile("trend.tmpl")
	if err != nil {
		return err
	}
	page, err := template.New("trend").Parse(string(text))
	if err != nil {
		return err
	}
	first := max(0, len(t.Runs)-maxTrendRuns)
	runs := t.Runs[first:]
	data := trendPage{Title: escapeControl(runs[len(runs)-1].Target), CSS: template.CSS(css), Width: len(runs) * barWidth,
		Heads: []string{"started (UTC)", "tests", "passed", "failed", "broken", "skipped", "retried", "duration", "score"}}
	most := 1
	for _, r := range runs {
		most = max(most, r.Tests)
	}
	for i, r := range runs {
		data.Runs = append(data.Runs, trendBar{Started: started(r), Cells: r.cells(), X: i * barWidth,
			Passed: height(r.Passed, most), Bad: height(r.Failed+r.Broken, most), Other: height(r.Skipped, most)})
	}
	for _, l := range t.lists() {
		for i, name := range l.Names {
			l.Names[i] = escapeControl(name)
		}
		data.Lists = append(data.Lists, l)
	}
	for _, h := range t.history {
		if one, shown := h.row(first); shown {
			data.Tests = append(data.Tests, one)
		}
	}
	return page.Execute(w, data)
}

// height is the height of a part of a column; what exists is visible.
func height(n, most int) int {
	if n == 0 {
		return 0
	}
	return max(2, n*barHeight/most)
}

// row is the history of a test, if it failed in one of the runs.
func (h TestHistory) row(first int) (trendTest, bool) {
	out, failed := trendTest{Name: escapeControl(h.Name)}, h.retried
	for _, s := range h.Statuses[first:] {
		failed = failed || s == finding.Failed || s == finding.Broken
		out.Statuses = append(out.Statuses, string(s))
	}
	return out, failed
}

// writeBadge writes the result of a run as an SVG image.
func writeBadge(w io.Writer, r TrendRun) error {
	text, color := fmt.Sprintf("%d passed", r.Passed), "#1a7f47"
	if bad := r.Failed + r.Broken; bad > 0 {
		text, color = fmt.Sprintf("%d failed, %d passed", bad, r.Passed), "#c62828"
	}
	const left, letter, pad = 62, 7, 12 // widths in pixels, of a typical font
	right := len(text)*letter + pad
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="mcptest: %[2]s">`+
		`<title>mcptest: %[2]s</title><rect width="%[3]d" height="20" fill="#444c56"/>`+
		`<rect x="%[3]d" width="%[4]d" height="20" fill="%[5]s"/>`+
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">`+
		`<text x="%[6]d" y="14">mcptest</text><text x="%[7]d" y="14">%[2]s</text></g></svg>`+"\n",
		left+right, text, left, right, color, left/2, left+right/2)
	return err
}

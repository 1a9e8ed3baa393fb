package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TrendFormats lists the formats of a trend.
var TrendFormats = []string{"text", "json", "html", "badge"}

// A Trend is how the results of several runs developed.
type Trend struct {
	Runs         []TrendRun `json:"runs"`          // the oldest first
	NewlyFailing []string   `json:"newly_failing"` // they fail in the last run, and passed when they ran before
	Fixed        []string   `json:"fixed"`         // they pass in the last run, and failed when they ran before
	Flaky        []string   `json:"flaky"`         // they passed after a retry, or changed more than once
	history      []TestHistory
}

// A TrendRun is one run.
type TrendRun struct {
	Target   string    `json:"target"`
	Started  time.Time `json:"started"`
	Tests    int       `json:"tests"`
	Passed   int       `json:"passed"`
	Failed   int       `json:"failed"`
	Broken   int       `json:"broken"`
	Skipped  int       `json:"skipped"`
	Retried  int       `json:"retried"`         // passed after a retry
	Duration float64   `json:"duration_ms"`     // of all tests, added up
	Score    *float64  `json:"score,omitempty"` // of engines that have one
}

// A TestHistory is the status of one test in each run; empty if it was not part of it.
type TestHistory struct {
	Name     string
	Statuses []finding.Status
	retried  bool
}

// NewTrend compares the reports of several runs, in the order of their start.
func NewTrend(reports []*finding.Report) *Trend {
	reports = slices.Clone(reports)
	slices.SortStableFunc(reports, func(a, b *finding.Report) int { return a.Started.Compare(b.Started) })
	t := &Trend{NewlyFailing: []string{}, Fixed: []string{}, Flaky: []string{}}
	at := map[string]int{}
	for i, r := range reports {
		t.Runs = append(t.Runs, trendRun(r))
		for _, result := range r.Results {
			n, known := at[result.Name]
			if !known {
				n = len(t.history)
				at[result.Name] = n
				t.history = append(t.history, TestHistory{Name: result.Name, Statuses: make([]finding.Status, len(reports))})
			}
			t.history[n].Statuses[i] = result.Status()
			t.history[n].retried = t.history[n].retried || result.Attempts > 1 && result.Status() == finding.Passed
		}
	}
	for _, h := range t.history {
		t.classify(h)
	}
	return t
}

func trendRun(r *finding.Report) TrendRun {
	run := TrendRun{Target: r.Target, Started: r.Started, Tests: len(r.Results)}
	for _, result := range r.Results {
		switch result.Status() {
		case finding.Passed:
			run.Passed++
			if result.Attempts > 1 {
				run.Retried++
			}
		case finding.Failed:
			run.Failed++
		case finding.Broken:
			run.Broken++
		default:
			run.Skipped++
		}
		run.Duration += float64(result.Elapsed.Microseconds()) / 1000
	}
	if score, ok := r.Metrics["score"]; ok {
		run.Score = &score
	}
	return run
}

// classify adds a test to the lists that it belongs to. Runs in which it was skipped or missing do not count.
func (t *Trend) classify(h TestHistory) {
	var verdicts []bool
	for _, s := range h.Statuses {
		if s == finding.Passed || s == finding.Failed || s == finding.Broken {
			verdicts = append(verdicts, s == finding.Passed)
		}
	}
	changes := 0
	for i := 1; i < len(verdicts); i++ {
		if verdicts[i] != verdicts[i-1] {
			changes++
		}
	}
	if h.retried || changes > 1 {
		t.Flaky = append(t.Flaky, h.Name)
	}
	last := h.Statuses[len(h.Statuses)-1]
	if n := len(verdicts); n > 1 && verdicts[n-1] != verdicts[n-2] {
		switch last {
		case finding.Failed, finding.Broken:
			t.NewlyFailing = append(t.NewlyFailing, h.Name)
		case finding.Passed:
			t.Fixed = append(t.Fixed, h.Name)
		}
	}
}

// WriteTrend writes a trend.
func WriteTrend(w io.Writer, format string, t *Trend) error {
	switch format {
	case "html":
		return writeTrendHTML(w, t)
	case "badge":
		return writeBadge(w, t.Runs[len(t.Runs)-1])
	}
	return writeTrendText(w, t)
}

func writeTrendText(w io.Writer, t *Trend) error {
	rows := [][]string{{"started (UTC)", "tests", "passed", "failed", "broken", "skipped", "retried", "duration", "score"}}
	for _, r := range t.Runs {
		rows = append(rows, append([]string{started(r)}, r.cells()...))
	}
	if !slices.ContainsFunc(t.Runs, func(r TrendRun) bool { return r.Score != nil }) {
		for i, row := range rows {
			rows[i] = row[:len(row)-1]
		}
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		line := fmt.Sprintf("%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, list := range t.lists() {
		for _, name := range list.Names {
			fmt.Fprintf(&out, "%s: %s\n", list.Title, escapeControl(name))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

type trendList struct {
	Title string
	Names []string
}

func (t *Trend) lists() []trendList {
	return []trendList{{"newly failing", t.NewlyFailing}, {"fixed", t.Fixed}, {"flaky", t.Flaky}}
}

func started(r TrendRun) string {
	if r.Started.IsZero() {
		return "unknown"
	}
	return r.Started.UTC().Format(time.DateTime)
}

// cells are the figures of a run, as text.
func (r TrendRun) cells() []string {
	score := ""
	if r.Score != nil {
		score = fmt.Sprint(*r.Score)
	}
	all := []string{}
	for _, n := range []int{r.Tests, r.Passed, r.Failed, r.Broken, r.Skipped, r.Retried} {
		all = append(all, fmt.Sprint(n))
	}
	return append(all, cmp.Or(shortTime(time.Duration(r.Duration*float64(time.Millisecond))), "0s"), score)
}

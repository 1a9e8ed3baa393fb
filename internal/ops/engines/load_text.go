package engines

import (
	"fmt"
	"strconv"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// writeSummary shows the figures of a load test as text.
func writeSummary(t *workbench.Text, r *LoadResult) error {
	s := r.Summary
	scrub := r.Opts.Scrub
	if scrub == nil {
		scrub = func(text string) string { return text }
	}
	t.Line(t.Bold("%s", s.Pace))
	for _, call := range r.Calls {
		t.Line("  " + t.Dim("%s", scrub(call)))
	}
	row := func(name, format string, args ...any) {
		t.Line(fmt.Sprintf("  %-8s ", name) + fmt.Sprintf(format, args...))
	}
	row("calls", "%d in %.1fs, %.1f/s without errors", s.Calls, s.Seconds, s.Rate)
	l := s.Latency
	row("latency", "p50 %s  p90 %s  p95 %s  p99 %s  p99.9 %s  max %s", millis(l.P50), millis(l.P90), millis(l.P95),
		millis(l.P99), millis(l.P999), millis(l.Max))
	row("errors", "%d", s.Errors)
	for _, k := range s.Kinds {
		t.Show(fmt.Sprintf("           %d× %s: %s", k.Count, k.Name, scrub(k.Example)))
	}
	if s.Unsent > 0 {
		row("unsent", "%s dropped: concurrency limit reached", workbench.Plural(int(s.Unsent), "call"))
	}
	if s.Checked > 0 {
		row("answers", "%d of %d responses belong to another call", s.MixedUp, s.Checked)
	}
	if p := s.Process; p != nil {
		row("process", "memory %.1f → %.1f MiB, open files %d → %d", float64(p.MemoryBefore)/(1<<20),
			float64(p.MemoryAfter)/(1<<20), p.HandlesBefore, p.HandlesAfter)
	}
	if s.Late > 20 {
		row("note", "scheduling delay up to %s (p99), included in the latency", millis(s.Late))
	}
	if s.ClosedLoop() {
		row("note", "with --concurrency alone each call waits for the previous one, so that a stall delays few "+
			"calls; use --rate to see its full effect")
	}
	t.Line("")
	return t.Err
}

// millis formats milliseconds with three digits.
func millis(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	if d < time.Second {
		return strconv.FormatFloat(ms, 'g', 3, 64) + "ms"
	}
	return d.Round(10 * time.Millisecond).String()
}

// maxDescribed is the maximum number of calls listed.
const maxDescribed = 10

func describeRequests(requests []*load.Request) []string {
	var all []string
	for i, r := range requests {
		if i == maxDescribed {
			return append(all, fmt.Sprintf("… and %d more", len(requests)-maxDescribed))
		}
		line := r.Tool + " " + clip.Runes(string(r.Arguments), 160)
		if r.Weight > 1 {
			line += fmt.Sprintf(" (weight %d)", r.Weight)
		}
		all = append(all, line)
	}
	return all
}

package load

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

var (
	polyline = regexp.MustCompile(`<polyline class="([a-z0-9]+)" points="([^"]*)">`)
	point    = regexp.MustCompile(`(-?[0-9.]+),(-?[0-9.]+)`)
)

// Every line stays within its chart, and an interval without an answer has no latency instead of a good one.
func TestChartsStayWithin(t *testing.T) {
	s := &Summary{Pace: "1/s", Series: []Point{{Seconds: 1, Calls: 4, Rate: 4, P50: 3, P95: 90, P99: 1234},
		{Seconds: 2}, {Seconds: 3, Calls: 2, Errors: 2, Rate: 2, P50: 1, P95: 2, P99: 3}},
		Curve: []Quantile{{0, 1}, {50, 3}, {99, 1200}, {99.999, 1234}, {100, 1234}}}
	var page strings.Builder
	if err := WriteHTML(&page, &finding.Report{}, s, nil, nil); err != nil {
		t.Fatal(err)
	}
	lines := polyline.FindAllStringSubmatch(page.String(), -1)
	if len(lines) != 6 {
		t.Fatalf("%d lines, want p50, p95, p99, responses, errors and latency", len(lines))
	}
	for _, line := range lines {
		points := point.FindAllStringSubmatch(line[2], -1)
		for _, p := range points {
			x, _ := strconv.ParseFloat(p[1], 64)
			y, _ := strconv.ParseFloat(p[2], 64)
			if x < 0 || x > chartWidth || y < chartMargin-0.1 || y > chartDepth-chartMargin+0.1 {
				t.Errorf("%s has the point %s, which is outside", line[1], p[0])
			}
		}
		want := map[string]int{"p50": 2, "p95": 2, "p99": 2, "responses": 3, "errors": 3, "latency": 5}[line[1]]
		if len(points) != want {
			t.Errorf("%s has %d points, want %d", line[1], len(points), want)
		}
	}
	for _, label := range []string{"2000 ms", "0.75 s", "99.9 %"} {
		if !strings.Contains(page.String(), ">"+label+"<") {
			t.Errorf("no axis has %q", label)
		}
	}
}

// What a server said is text on the page, and no secret is in it.
func TestChartPageIsSafe(t *testing.T) {
	const hostile = "<script>alert(1)</script>\x1b[2J tok3n"
	report := &finding.Report{Target: hostile, Results: []finding.Result{{Rule: "load/errors",
		Findings: []finding.Finding{{Rule: "load/errors", Severity: finding.Error, Message: hostile,
			Evidence: []string{hostile}}}}}}
	s := &Summary{Kinds: []Kind{{Name: "isError", Count: 1, Example: hostile}}}
	var page strings.Builder
	err := WriteHTML(&page, report, s, []string{hostile},
		func(text string) string { return strings.ReplaceAll(text, "tok3n", "[redacted]") })
	if err != nil || strings.Contains(page.String(), "<script") || strings.ContainsAny(page.String(), "\x1b") ||
		strings.Contains(page.String(), "tok3n") {
		t.Errorf("%v\n%s", err, page.String())
	}
	if strings.Count(page.String(), "alert(1)") < 5 || !strings.Contains(page.String(), ">failed<") {
		t.Errorf("the page does not show what there is: %s", page.String())
	}
}

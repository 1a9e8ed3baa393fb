package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// A Threshold is a condition that a load must meet.
type Threshold struct {
	finding.Rule
	Name  string // as written; empty for those that always apply
	Holds func(*Summary) error

	figure, relation string
	limit            float64
}

var written = lazyregexp.New(`^\s*([a-z][a-z0-9._]*)\s*(<=|>=|<|>)\s*([0-9.]+)\s*([a-zA-Zµ%/]*)\s*$`)

// figures are the figures that a threshold can use.
var figures = []string{"p50_ms", "p90_ms", "p95_ms", "p99_ms", "p99.9_ms", "max_ms", "min_ms", "mean_ms", "late_ms",
	"rate", "calls", "errors",
	"error_percent", "unsent", "mixed_up", "memory_growth_mb", "handles_growth"}

// ParseThreshold parses a threshold: p99<50ms, errors<1%, rate>=450/s, memory_growth<20MB.
func ParseThreshold(text string) (Threshold, error) {
	m := written().FindStringSubmatch(text)
	if m == nil {
		return Threshold{}, fmt.Errorf("invalid threshold %q: expected a figure, a relation and a number, such as "+
			"'p99<50ms' or 'errors<1%%'", text)
	}
	figure, err := figureOf(m[1], m[4])
	if err != nil {
		return Threshold{}, fmt.Errorf("invalid threshold %q: %w", text, err)
	}
	limit, err := limitOf(figure, m[3], m[4])
	if err != nil {
		return Threshold{}, fmt.Errorf("invalid threshold %q: %w", text, err)
	}
	t := Threshold{Rule: ruleThreshold, Name: strings.TrimSpace(text), figure: figure, relation: m[2], limit: limit}
	t.Holds = t.compare
	return t, nil
}

func figureOf(name, unit string) (string, error) {
	if name == "errors" && unit == "%" {
		return "error_percent", nil
	}
	for _, known := range figures {
		if name == known || name+"_ms" == known || name+"_mb" == known {
			return known, nil
		}
	}
	var names []string
	for _, known := range figures {
		names = append(names, strings.TrimSuffix(strings.TrimSuffix(known, "_ms"), "_mb"))
	}
	return "", fmt.Errorf("unknown figure %q, expected one of %s", name, strings.Join(names, ", "))
}

// limitOf parses the number of a threshold in the unit of its figure.
func limitOf(figure, number, unit string) (float64, error) {
	if strings.HasSuffix(figure, "_ms") && unit != "" {
		d, err := time.ParseDuration(number + unit)
		if err != nil {
			return 0, fmt.Errorf("%s%s is not a duration, expected one such as 50ms or 1.5s", number, unit)
		}
		return float64(d) / float64(time.Millisecond), nil
	}
	factors := map[string]float64{"": 1}
	switch {
	case strings.HasSuffix(figure, "_mb"):
		factors = map[string]float64{"": 1, "KB": 1. / 1024, "KiB": 1. / 1024, "MB": 1, "MiB": 1, "GB": 1024,
			"GiB": 1024}
	case figure == "rate":
		factors = map[string]float64{"": 1, "/s": 1, "/m": 1. / 60}
	case figure == "error_percent":
		factors = map[string]float64{"": 1, "%": 1}
	}
	factor, known := factors[unit]
	value, err := strconv.ParseFloat(number, 64)
	if !known || err != nil {
		return 0, fmt.Errorf("%s%s is not a valid value of %s", number, unit, figure)
	}
	return value * factor, nil
}

func (t *Threshold) compare(s *Summary) error {
	got, measured := s.Figures()[t.figure]
	if !measured {
		return fmt.Errorf("%s: %s is not available for remote servers", t.Name, t.figure)
	}
	holds := map[string]bool{"<": got < t.limit, "<=": got <= t.limit, ">": got > t.limit,
		">=": got >= t.limit}[t.relation]
	if holds {
		return nil
	}
	return fmt.Errorf("threshold %s failed: %s", t.Name, describeFigure(t.figure, got))
}

// describeFigure formats a figure in the units of thresholds.
func describeFigure(figure string, got float64) string {
	exact := strconv.FormatFloat(got, 'f', -1, 64)
	switch name, unit, _ := strings.Cut(figure, "_"); {
	case unit == "ms":
		return fmt.Sprintf("%s is %v", name, time.Duration(got*float64(time.Millisecond)))
	case strings.HasSuffix(figure, "_mb"):
		return fmt.Sprintf("%s is %.1f MiB", strings.TrimSuffix(figure, "_mb"), got)
	case figure == "error_percent":
		return fmt.Sprintf("%.3g %% of the calls failed", got)
	case figure == "rate":
		return fmt.Sprintf("the rate is %.1f/s", got)
	}
	return figure + " is " + exact
}

// about reports whether one of the thresholds is about a figure.
func about(thresholds []Threshold, names ...string) bool {
	return slices.ContainsFunc(thresholds, func(t Threshold) bool { return slices.Contains(names, t.figure) })
}

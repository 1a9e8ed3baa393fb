package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A contest is one thing that is measured of two programs.
type contest struct {
	title        string
	ours, theirs string // what is measured
	unit         string
	less         bool // less is better
	prepare      func(ctx context.Context, l *lab) (*pair, error)
}

// A pair measures both sides once.
type pair struct {
	ours, theirs func(ctx context.Context) (float64, error)
	end          []func()
}

// stop ends what was started for the pair.
func (p *pair) stop() {
	for _, end := range slices.Backward(p.end) {
		end()
	}
}

// A result is what came of a contest: medians over turns that were taken one beside the other.
type result struct {
	contest
	our, their float64
	ratio      float64 // how many times better ours is
	low, high  float64 // between which the middle half of the ratios lies
	skipped    string
}

// measure lets both sides take turns. Who is first changes, and the first turn does not count: it warms up.
func (c contest) measure(ctx context.Context, p *pair, turns int) result {
	var our, their, ratios []float64
	for turn := range turns + 1 {
		first, second := p.ours, p.theirs
		if turn%2 == 1 {
			first, second = second, first
		}
		a, err := first(ctx)
		if err != nil {
			return result{contest: c, skipped: err.Error()}
		}
		b, err := second(ctx)
		if err != nil {
			return result{contest: c, skipped: err.Error()}
		}
		if turn == 0 {
			continue
		}
		if turn%2 == 1 {
			a, b = b, a
		}
		our, their, ratios = append(our, a), append(their, b), append(ratios, c.better(a, b))
	}
	return result{contest: c, our: median(our), their: median(their), ratio: median(ratios),
		low: quantile(ratios, 0.25), high: quantile(ratios, 0.75)}
}

// better is how many times better ours is than theirs.
func (c contest) better(our, their float64) float64 {
	if c.less {
		return their / our
	}
	return our / their
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// quantile is the value below which a share of the values lies, between two of them if need be.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	at := share * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

// String is the line that is printed.
func (r result) String() string {
	if r.skipped != "" {
		return r.title + ": skipped: " + r.skipped
	}
	return fmt.Sprintf("%s: %s %s, %s %s: %.2f times as good (%.2f to %.2f)", r.title, r.ours, amount(r.our, r.unit),
		r.theirs, amount(r.their, r.unit), r.ratio, r.low, r.high)
}

// amount shows a number with three digits that count.
func amount(value float64, unit string) string {
	text := fmt.Sprintf("%.3g", value)
	if value >= 100 {
		text = fmt.Sprintf("%.0f", value)
	}
	return strings.TrimSpace(text + " " + unit)
}

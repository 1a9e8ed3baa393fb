package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

// fixed gives the numbers one after another.
func fixed(numbers ...float64) func(context.Context) (float64, error) {
	i := -1
	return func(context.Context) (float64, error) { i++; return numbers[i], nil }
}

func TestRatiosAreOfTurns(t *testing.T) {
	c := contest{title: "t", ours: "we", theirs: "they", unit: "ms", less: true}
	got := c.measure(t.Context(), &pair{ours: fixed(1000, 1, 2, 4), theirs: fixed(1, 10, 40, 20)}, 3)
	if got.our != 2 || got.their != 20 || got.ratio != 10 || got.low != 7.5 || got.high != 15 {
		t.Errorf("measure = %+v; want the medians 2 and 20, and ratios around 10, half of them from 7.5 to 15: the "+
			"first turn does not count", got)
	}
	c.less = false
	if got := c.measure(t.Context(), &pair{ours: fixed(0, 30), theirs: fixed(0, 10)}, 1); got.ratio != 3 {
		t.Errorf("where more is better the ratio is %v, want 3", got.ratio)
	}
	broken := &pair{ours: fixed(1), theirs: func(context.Context) (float64, error) {
		return 0,
			errors.New("no answer")
	}}
	if got := c.measure(t.Context(), broken, 1); got.skipped != "no answer" {
		t.Errorf("a side that fails: %+v", got)
	}
}

func TestPageTellsAll(t *testing.T) {
	got := page(machine{Date: "2026-01-02", Cores: 2, CPU: "Some CPU", System: "linux/amd64", SDK: "v1"}, 5, []result{
		{contest: contest{title: "Calls", theirs: "peer", unit: "calls/s"}, our: 1234, their: 411, ratio: 3, low: 2,
			high: 4},
		{contest: contest{title: "Start", theirs: "other"}, skipped: "there is no npm"},
	})
	for _, want := range []string{"| Calls | 1234 calls/s | peer: 411 calls/s | **3.00** (2.00 to 4.00) |",
		"- Start, beside other: there is no npm",
		"2026-01-02, 2 cores of Some CPU", "mcporter " + pinned["mcporter"], "median of 5 paired turns"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
}

// docs/benchmarks.md is what the program writes but for the figures.
func TestPageIsWrittenByTheProgram(t *testing.T) {
	got, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(got), caveats) {
		t.Error("docs/benchmarks.md was not written by this program: go run ./bench/compare -write")
	}
}

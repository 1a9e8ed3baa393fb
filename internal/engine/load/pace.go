// Package load makes many calls to a server's tools and measures how it handles them.
//
// Calls start at a fixed arrival rate (open model), whether or not earlier ones have a response, and latency is
// measured from when a call was due: a server that stalls delays all calls that were due meanwhile, and the histogram
// shows it. Drive makes any calls; Run makes those of an MCP session, detects mixed-up responses, deadlocks and growth
// of the process, and returns a finding.Report.
package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Pace is when calls are made.
type Pace struct {
	Rate        float64       // calls per second; 0 keeps Concurrency calls in flight instead
	Concurrency int           // maximum calls in flight; 0 means 1 without a rate, and 10,000 with one
	Duration    time.Duration // how long calls are made
	Ramp        time.Duration // the rate, or the concurrency, grows from 0 during this time; part of Duration
	Drain       time.Duration // how long to wait for responses after Duration; 0 means 10 s
	Silence     time.Duration // this long without a response while calls are in flight is a deadlock; 0 means 10 s
}

// Limits and defaults of a pace.
const (
	MaxRate        = 1_000_000
	MaxConcurrency = 10_000
	MaxDuration    = 24 * time.Hour

	defaultDrain   = 10 * time.Second
	defaultSilence = 10 * time.Second
)

// Check rejects a pace that cannot be kept.
func (p Pace) Check() error {
	switch {
	case p.Rate < 0 || p.Rate > MaxRate || math.IsNaN(p.Rate):
		return fmt.Errorf("invalid rate %v/s: expected more than 0 and at most %d/s", p.Rate, MaxRate)
	case p.Concurrency < 0 || p.Concurrency > MaxConcurrency:
		return fmt.Errorf("invalid concurrency %d: expected from 1 to %d", p.Concurrency, MaxConcurrency)
	case p.Duration <= 0 || p.Duration > MaxDuration:
		return fmt.Errorf("invalid duration %v: expected more than 0 and at most %v", p.Duration, MaxDuration)
	case p.Ramp < 0 || p.Ramp > p.Duration:
		return fmt.Errorf("invalid ramp %v: expected at most the duration of %v", p.Ramp, p.Duration)
	}
	return nil
}

// String describes the pace for users.
func (p Pace) String() string {
	text := fmt.Sprintf("%s/s", strconv.FormatFloat(p.Rate, 'f', -1, 64))
	if p.Rate == 0 {
		text = fmt.Sprintf("%d at a time", max(p.Concurrency, 1))
	} else if p.Concurrency > 0 {
		text += fmt.Sprintf(", at most %d at a time", p.Concurrency)
	}
	text += fmt.Sprintf(" for %v", p.Duration)
	if p.Ramp > 0 {
		text += fmt.Sprintf(" with a ramp of %v", p.Ramp)
	}
	return text
}

func (p Pace) withDefaults() Pace {
	if p.Concurrency == 0 {
		p.Concurrency = 1
		if p.Rate > 0 {
			p.Concurrency = MaxConcurrency
		}
	}
	if p.Drain == 0 {
		p.Drain = defaultDrain
	}
	if p.Silence == 0 {
		p.Silence = defaultSilence
	}
	return p
}

// due is when the call with number n is due, after the start. During the ramp the rate grows linearly.
func (p Pace) due(n int) time.Duration {
	seconds, ramp := float64(n)/p.Rate, p.Ramp.Seconds()
	if inRamp := p.Rate * ramp / 2; float64(n) < inRamp {
		seconds = math.Sqrt(2 * ramp * float64(n) / p.Rate)
	} else {
		seconds += ramp / 2
	}
	return time.Duration(seconds * float64(time.Second))
}

// Calls is the total number of calls that are due; 0 without a rate.
func (p Pace) Calls() int {
	return int(math.Ceil(p.Rate*(p.Duration-p.Ramp/2).Seconds() - 1e-6))
}

// ParseRate parses a rate: 500, 500/s, 30/m.
func ParseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(strings.TrimSpace(text), "/")
	per, known := map[string]float64{"": 1, "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60,
		"h": 3600}[strings.TrimSpace(unit)]
	rate, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !known || !(rate > 0) || rate/per > MaxRate {
		return 0, fmt.Errorf("invalid rate %q: expected calls per second or minute, such as 500/s or 30/m", text)
	}
	return rate / per, nil
}

// Package load makes many calls of a server's tools and measures how it bears them.
//
// Calls are due at times that the pace alone decides, whether or not earlier ones have been answered, and the time of a
// call counts from when it was due: a server that stalls makes all calls late that were due meanwhile, and the histogram
// shows it. Drive makes any calls; Run makes those of an MCP session, watches for answers that were mixed up, for
// deadlock and for growth of the process, and returns a finding.Report.
package load

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Pace says when calls are made.
type Pace struct {
	Rate        float64       // calls that are due in a second; 0 keeps Concurrency calls open instead
	Concurrency int           // calls that may be open at once; 0 means 1 without a rate, and 10,000 with one
	Duration    time.Duration // how long calls are due
	Ramp        time.Duration // the rate, or the concurrency, grows from nothing for so long; part of Duration
	Drain       time.Duration // how long after Duration answers are waited for; 0 means 10 s
	Silence     time.Duration // no answer for so long while calls are open is a deadlock; 0 means 10 s
}

// Bounds of a pace, and what it is where nobody says.
const (
	MaxRate        = 1_000_000
	MaxConcurrency = 10_000
	MaxDuration    = 24 * time.Hour

	defaultDrain   = 10 * time.Second
	defaultSilence = 10 * time.Second
)

// Check refuses a pace that cannot be kept.
func (p Pace) Check() error {
	switch {
	case p.Rate < 0 || p.Rate > MaxRate || math.IsNaN(p.Rate):
		return fmt.Errorf("a rate of %v/s; want more than 0 and at most %d/s", p.Rate, MaxRate)
	case p.Concurrency < 0 || p.Concurrency > MaxConcurrency:
		return fmt.Errorf("a concurrency of %d; want from 1 to %d", p.Concurrency, MaxConcurrency)
	case p.Duration <= 0 || p.Duration > MaxDuration:
		return fmt.Errorf("a duration of %v; want more than 0 and at most %v", p.Duration, MaxDuration)
	case p.Ramp < 0 || p.Ramp > p.Duration:
		return fmt.Errorf("a ramp of %v; want at most the duration of %v", p.Ramp, p.Duration)
	}
	return nil
}

// String tells the pace to people.
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

// due is when the call with number n is due, after the start. During the ramp the rate grows evenly.
func (p Pace) due(n int) time.Duration {
	seconds, ramp := float64(n)/p.Rate, p.Ramp.Seconds()
	if inRamp := p.Rate * ramp / 2; float64(n) < inRamp {
		seconds = math.Sqrt(2 * ramp * float64(n) / p.Rate)
	} else {
		seconds += ramp / 2
	}
	return time.Duration(seconds * float64(time.Second))
}

// Calls is how many calls are due in all; 0 where there is no rate.
func (p Pace) Calls() int {
	return int(math.Ceil(p.Rate*(p.Duration-p.Ramp/2).Seconds() - 1e-6))
}

// ParseRate reads a rate as people write it: 500, 500/s, 30/m.
func ParseRate(text string) (float64, error) {
	number, unit, _ := strings.Cut(strings.TrimSpace(text), "/")
	per, known := map[string]float64{"": 1, "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60, "minute": 60, "h": 3600}[strings.TrimSpace(unit)]
	rate, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !known || !(rate > 0) || rate/per > MaxRate {
		return 0, fmt.Errorf("the rate %q; want calls a second or a minute, such as 500/s or 30/m", text)
	}
	return rate / per, nil
}

package volatile

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// What follows the time in a text, besides what Normalize replaces.
var (
	hours  = lazyregexp.New(`\b\d{1,2}:\d\d(:\d\d(\.\d+)?)?([ \x{202f}]?[AP]M)?\b`)
	ages   = lazyregexp.New(`(?i)\bjust now\b|\b(?:\d+|an?|a few) (?:second|minute|hour|day)s? ago\b`)
	amount = lazyregexp.New(`\d+(\.\d+)?`)
)

// SameButClocks reports whether two texts that were read at different times are the same, apart from times and from
// numbers that follow the time: an uptime, an age, the seconds that are left.
func SameButClocks(a, b string, before, after time.Time) bool {
	if a == b || SameLines(a, b, before, after) {
		return true
	}
	a, b = withoutTimes(a, before), withoutTimes(b, after)
	if amount().ReplaceAllString(a, "#") != amount().ReplaceAllString(b, "#") {
		return false
	}
	follows := true
	x, y := amount().FindAllString(a, -1), amount().FindAllString(b, -1)
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		isClock, carries := followsTime(x[i], y[i], after.Sub(before))
		if !isClock && !carries {
			return false
		}
		follows = follows && (isClock || len(x) > 1) // a number that only carries has another beside it
	}
	return follows
}

func withoutTimes(text string, at time.Time) string {
	return ages().ReplaceAllString(hours().ReplaceAllString(Normalize(text, at), Time), Time)
}

// units are the numbers of units that pass in a second: hours, minutes, seconds, and fractions of seconds.
var units = []float64{1.0 / 3600, 1.0 / 60, 1, 1e3, 1e6, 1e9}

// followsTime reports whether a number changed by as much as the time did, in some unit, and whether it may be a part of
// a duration into which another one carries: the minutes in "3 min 59 s".
func followsTime(from, to string, elapsed time.Duration) (isClock, carries bool) {
	x, errX := strconv.ParseFloat(from, 64)
	y, errY := strconv.ParseFloat(to, 64)
	if errX != nil || errY != nil {
		return false, false
	}
	step := 1.0 // what the last digit counts
	if _, fraction, ok := strings.Cut(to, "."); ok {
		step = math.Pow10(-len(fraction))
	}
	change := math.Abs(y - x)
	const answering = 0.1 // seconds, and a part of the time, by which two reads may differ
	for _, unit := range units {
		want := elapsed.Seconds() * unit
		if math.Abs(change-want) <= step*1.01+answering*(want+unit) && want > step/10 {
			return true, false
		}
	}
	const sixty = 60
	if x >= sixty || y >= sixty {
		return false, false
	}
	wrapped := math.Mod(elapsed.Seconds(), sixty)
	return math.Abs(sixty-change-wrapped) <= step*1.01+answering*(wrapped+1), step == 1 && (change == 1 || change == sixty-1)
}

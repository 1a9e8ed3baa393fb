package cputime

import (
	"encoding/json"
	"strings"
	"time"
)

// Over reports whether work took longer than it may. Bounds are those of the machine that they were set on; a slower one is
// given as much more as it takes for work of a known size, measured now.
func Over(took, bound time.Duration) bool {
	return took > bound && took.Seconds() > bound.Seconds()*slowness()
}

// usual is what the work of a known size takes on the machine that bounds were set on.
const usual = 25 * time.Millisecond

// slowness is how many times longer work takes than on the machine that bounds were set on.
func slowness() float64 {
	text := []byte("[" + strings.Repeat(`{"key":[1,"text",true]},`, 1<<15) + "0]")
	best := time.Hour
	for range 3 {
		start := Used()
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			panic(err) // the text is our own
		}
		best = min(best, Used()-start)
	}
	return max(best.Seconds()/usual.Seconds(), 1)
}

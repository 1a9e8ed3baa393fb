package load

import (
	"fmt"
	"testing"
	"time"
)

// The most frequent failures come first; beyond the limit, further kinds are counted together, and none is lost.
func TestKindsOfFailures(t *testing.T) {
	stats := newTally(Pace{Duration: time.Second}, time.Now())
	for i := range maxKinds + 5 {
		for range i + 1 {
			stats.kind(&Failure{Kind: fmt.Sprint("kind ", i), Message: "example"})
		}
	}
	kinds := stats.summary(Pace{Rate: 1, Duration: time.Second}, time.Now()).Kinds
	total := int64(0)
	for i, k := range kinds {
		if total += k.Count; i > 0 && k.Count > kinds[i-1].Count {
			t.Errorf("%v: the order is not by count", kinds)
		}
	}
	if want := int64((maxKinds + 5) * (maxKinds + 6) / 2); len(kinds) != maxKinds || total != want {
		t.Errorf("got %d kinds with %d failures, expected %d with %d", len(kinds), total, maxKinds, want)
	}
	if kinds[0].Name != "other" || kinds[1].Name != fmt.Sprint("kind ", maxKinds-2) {
		t.Errorf("got %v first, expected the others and then the most frequent", kinds[:2])
	}
}

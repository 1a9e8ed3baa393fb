package check

import (
	"testing"
	"time"
)

func TestStartAllowance(t *testing.T) {
	for first, want := range map[time.Duration]time.Duration{
		50 * time.Millisecond: 0, time.Second: 0, 2 * time.Second: 20 * time.Second, 4 * time.Second: time.Minute,
		25 * time.Second: time.Minute,
	} {
		if got := startAllowance(first); got != want {
			t.Errorf("first start of %v: got %v, expected %v", first, got, want)
		}
	}
}

package mcp

import (
	"testing"
	"time"
)

// The time in which this process is stopped is not the server's silence.
func TestStoppedProcessHearsNothing(t *testing.T) {
	begin := time.Now()
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	var v vigil
	if nap := v.sleep(at(0), 10*time.Second); nap != longestNap {
		t.Errorf("the first nap takes %v, want %v", nap, longestNap)
	}
	if got := v.wake(at(1.2)); got != at(1.2) {
		t.Errorf("a busy machine takes %v from the clock", at(1.2).Sub(got))
	}
	v.sleep(at(1.2), 8800*time.Millisecond)
	if got := v.wake(at(601.2)); got != at(1.2) {
		t.Errorf("after a stop of ten minutes the clock shows %v, want 1.2s", got.Sub(begin))
	}
	if nap := v.sleep(at(601.2), 300*time.Millisecond); nap != 300*time.Millisecond {
		t.Errorf("the last nap takes %v, want 300ms", nap)
	}
	if got := v.wake(at(601.5)); got != at(1.5) {
		t.Errorf("the clock shows %v, want 1.5s", got.Sub(begin))
	}
}

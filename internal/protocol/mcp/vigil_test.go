package mcp

import (
	"testing"
	"time"
)

// The time in which this process is stopped is told from that in which it waits.
func TestStoppedProcessHearsNothing(t *testing.T) {
	begin := time.Now()
	at := func(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }
	var v vigil
	if nap := v.sleep(at(0), 10*time.Second); nap != longestNap {
		t.Errorf("the first nap takes %v, want %v", nap, longestNap)
	}
	if lost := v.wake(at(1.2)); lost != 0 {
		t.Errorf("a busy machine takes %v from the clock", lost)
	}
	v.sleep(at(1.2), 8800*time.Millisecond)
	if lost := v.wake(at(601.2)); lost != 10*time.Minute {
		t.Errorf("a stop of ten minutes takes %v from the clock", lost)
	}
	if nap := v.sleep(at(601.2), 300*time.Millisecond); nap != 300*time.Millisecond {
		t.Errorf("the last nap takes %v, want 300ms", nap)
	}
	if lost := v.wake(at(601.5)); lost != 0 {
		t.Errorf("a nap takes %v from the clock", lost)
	}
}

// A stop is no silence of the server's. Nor does it make more of what the server says afterwards.
func TestPatienceAfterAStop(t *testing.T) {
	begin := time.Now()
	s := &Session{}
	for _, test := range []struct {
		active, want time.Duration // since when the server is silent, and how long it may stay so
	}{
		{2 * time.Second, 9 * time.Second},               // it was before the stop, which lasted from 3 s on
		{10*time.Minute + time.Second, 10 * time.Second}, // it has told of its progress as soon as that could be heard
	} {
		c := &call{active: begin.Add(test.active)}
		now := begin.Add(10*time.Minute + 3*time.Second)
		s.excuse(c, 10*time.Minute, now)
		hard := deadline{at: now.Add(time.Hour)}
		if got, _ := s.patienceLeft(c, 10*time.Second, hard, now); got != test.want {
			t.Errorf("silent since %v: %v of 10s are left after a stop of 10m, want %v", test.active, got, test.want)
		}
	}
}

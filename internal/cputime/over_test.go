package cputime

import (
	"testing"
	"time"
)

func TestOver(t *testing.T) {
	if Over(time.Second, time.Second) || Over(time.Millisecond, time.Second) {
		t.Error("work that took no longer than it may is over its bound")
	}
	if !Over(time.Hour, time.Second) {
		t.Error("an hour is not over a bound of a second")
	}
	if got := slowness(); got < 1 {
		t.Errorf("slowness = %v, want at least 1", got)
	}
}

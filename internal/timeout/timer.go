package timeout

import (
	"sync"
	"time"
)

// A Timer expires after a time without activity, and after MaxFactor times that time in any case. It does not run while
// it is held, which is while the server waits for us, nor while this process is suspended: nothing can be received
// then. Its methods may be used by many goroutines at once.
type Timer struct {
	idle     time.Duration
	onExpire func(Expiry)

	mu      sync.Mutex
	active  time.Time // the last activity
	end     time.Time // the end in any case
	held    int
	heldAt  time.Time
	done    bool // expired or stopped
	checked suspendDetector
	timer   *time.Timer
}

// An Expiry says which of its limits a Timer has reached.
type Expiry struct {
	After time.Duration
	Hard  bool // the limit that activity does not extend
}

// New starts a Timer. It calls onExpire once, in a goroutine of its own, unless it is stopped before.
func New(idle time.Duration, onExpire func(Expiry)) *Timer {
	now := time.Now()
	t := &Timer{idle: idle, onExpire: onExpire, active: now, end: now.Add(MaxFactor * idle)}
	t.mu.Lock() // the timer may fire before it is stored
	defer t.mu.Unlock()
	t.timer = time.AfterFunc(t.checked.beforeWait(now, idle), t.check)
	return t
}

// check expires the Timer if a limit is reached, and waits on otherwise.
func (t *Timer) check() {
	t.mu.Lock()
	if t.held > 0 || t.done {
		t.mu.Unlock()
		return
	}
	now := time.Now()
	t.skipLocked(now)
	if left := t.remainingLocked(now); left > 0 {
		t.timer.Reset(t.checked.beforeWait(now, left))
		t.mu.Unlock()
		return
	}
	t.done = true
	expiry := Expiry{After: t.idle}
	if t.end.Before(t.active.Add(t.idle)) { // a busy machine may check long after both have passed
		expiry = Expiry{After: MaxFactor * t.idle, Hard: true}
	}
	t.mu.Unlock()
	t.onExpire(expiry)
}

// skipLocked removes the time in which this process was suspended. Activity after that counts from when it was seen.
func (t *Timer) skipLocked(now time.Time) {
	lost := t.checked.afterWait(now)
	t.end = t.end.Add(lost)
	if t.active = t.active.Add(lost); t.active.After(now) {
		t.active = now
	}
}

func (t *Timer) remainingLocked(now time.Time) time.Duration {
	return min(t.active.Add(t.idle).Sub(now), t.end.Sub(now))
}

// Touch records activity.
func (t *Timer) Touch() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active = time.Now()
}

// Hold stops the Timer until Release was called as often. It then starts again with its whole time without activity.
func (t *Timer) Hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held++; t.held == 1 && !t.done {
		t.heldAt = time.Now()
		t.skipLocked(t.heldAt)
		t.timer.Stop()
	}
}

// Release ends one Hold.
func (t *Timer) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held--; t.held > 0 || t.done {
		return
	}
	now := time.Now()
	t.end = t.end.Add(now.Sub(t.heldAt))
	t.active = now
	t.timer.Reset(t.checked.beforeWait(now, max(0, t.remainingLocked(now))))
}

// Stop ends the Timer. It does not expire after that.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done = true
	t.timer.Stop()
}

package mcp

import (
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// When a process counts as unresponsive.
const (
	idleSilence  = 500 * time.Millisecond // while it is observed to wait for input
	blindSilence = 10 * time.Second       // if that cannot be observed
	lookInterval = 50 * time.Millisecond
)

// relays are programs that read their input immediately and forward it to the server. Their process does not
// show what the server does.
var relays = []string{"docker", "podman", "nerdctl", "kubectl", "ssh", "wsl"}

// A silenceWatch reports once that a process has read the probe and does not respond.
type silenceWatch struct {
	silent chan time.Duration // receives the waiting time
	done   chan struct{}
}

func (w *silenceWatch) stop() { close(w.done) }

// watchSilence watches the process until it is unresponsive or the watch is stopped. A process that has not
// read its input, or is busy, is still starting.
func (s *Session) watchSilence(within time.Duration) *silenceWatch {
	w := &silenceWatch{silent: make(chan time.Duration, 1), done: make(chan struct{})}
	s.wg.Go(func() {
		start := time.Now()
		var awaiting, quiet time.Time // since when it waits for input, and since when it is idle
		ticker := time.NewTicker(lookInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
			case <-w.done:
				return
			case <-s.ctx.Done():
				return
			}
			now, activity := time.Now(), s.activity()
			mark(&awaiting, now, activity == wire.AwaitingInput)
			mark(&quiet, now, activity != wire.NotReading && activity != wire.Busy)
			if lasts(awaiting, now, min(idleSilence, within/2)) || lasts(quiet, now, min(blindSilence, within/2)) {
				w.silent <- now.Sub(start)
				return
			}
		}
	})
	return w
}

// activity returns what the server process does; unknown if it cannot be observed.
func (s *Session) activity() wire.Activity {
	child, ok := s.conn.(wire.Child)
	if !ok || slices.Contains(relays, timeout.Program(s.target.Command)) {
		return wire.ActivityUnknown
	}
	return child.Activity()
}

// mark stores since when a condition is true.
func mark(since *time.Time, now time.Time, holds bool) {
	switch {
	case !holds:
		*since = time.Time{}
	case since.IsZero():
		*since = now
	}
}

func lasts(since, now time.Time, d time.Duration) bool { return !since.IsZero() && now.Sub(since) >= d }

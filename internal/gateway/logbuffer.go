package gateway

import (
	"io"
	"sync"
	"time"
)

// Limits of what a logBuffer holds back.
const (
	logInterval = 50 * time.Millisecond
	logBytes    = 32 << 10
)

// A logBuffer writes lines that follow each other quickly together, at most logInterval later: one write for each call
// would be a noticeable part of its cost. A line after a pause is written at once.
type logBuffer struct {
	out io.Writer

	mu      sync.Mutex
	lines   []byte
	written time.Time // when something was written last
	timer   *time.Timer
}

// Write adds lines. Failures are not reported: a log record is not repeated anyway.
func (b *logBuffer) Write(lines []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, lines...)
	switch {
	case len(b.lines) >= logBytes, time.Since(b.written) >= logInterval:
		b.flushLocked()
	case b.timer == nil:
		b.timer = time.AfterFunc(logInterval, b.Flush)
	}
	return len(lines), nil
}

// Flush writes what is held back.
func (b *logBuffer) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flushLocked()
}

func (b *logBuffer) flushLocked() {
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if len(b.lines) > 0 {
		_, _ = b.out.Write(b.lines)
		b.lines, b.written = b.lines[:0], time.Now()
	}
}

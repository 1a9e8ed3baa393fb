package upstream

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of a StderrLog. A line is kept longer than it is shown, so that a secret is recognized before it is cut.
const (
	maxStderrLines = 1000
	maxStderrBytes = 512 << 10
	maxStderrLine  = 8 << 10
)

// A StderrLine is one line of stderr output of a process. It may contain secrets.
type StderrLine struct {
	Time    time.Time // when it began
	Process string    // the ID of the process
	// the calls in progress at that time, and those that had just ended: the output may arrive after their response
	Traces []string
	Text   string
}

// A StderrLog keeps the last stderr output of all processes of a server, also of those that have exited.
type StderrLog struct {
	mu    sync.Mutex
	lines []StderrLine
	bytes int
}

// Lines returns the last lines, the latest last: those of a trace, unless it is empty, and n at most.
func (l *StderrLog) Lines(trace string, n int) []StderrLine {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []StderrLine
	for _, line := range slices.Backward(l.lines) {
		if len(found) >= n {
			break
		}
		if trace == "" || slices.Contains(line.Traces, trace) {
			found = append(found, line)
		}
	}
	slices.Reverse(found)
	return found
}

func (l *StderrLog) add(line StderrLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	l.bytes += len(line.Text)
	drop := 0
	for len(l.lines)-drop > maxStderrLines || l.bytes > maxStderrBytes {
		l.bytes -= len(l.lines[drop].Text)
		drop++
	}
	l.lines = slices.Delete(l.lines, 0, drop)
}

// A stderrWriter splits the stderr output of one process into lines.
type stderrWriter struct {
	log     *StderrLog
	process string
	traces  func() []string

	mu   sync.Mutex
	open bool
	line StderrLine
	text []byte
}

func (w *stderrWriter) write(output []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(output) > 0 {
		if !w.open {
			w.open, w.text = true, w.text[:0]
			w.line = StderrLine{Time: time.Now(), Process: w.process, Traces: w.traces()}
		}
		line, rest, ended := bytes.Cut(output, []byte("\n"))
		w.text = append(w.text, line[:min(len(line), maxStderrLine-len(w.text))]...)
		if output = rest; ended {
			w.endLocked()
		}
	}
}

// end keeps the unfinished line of a process that has ended.
func (w *stderrWriter) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open {
		w.endLocked()
	}
}

func (w *stderrWriter) endLocked() {
	w.open = false
	if w.line.Text = wire.Plain(string(bytes.TrimSuffix(w.text, []byte("\r")))); w.line.Text != "" {
		w.log.add(w.line)
	}
}

// Stderr is the stderr output of the processes of the server.
func (s *Server) Stderr() *StderrLog { return s.opts.Stderr }

// withStderr returns the target for one process, whose stderr output is kept.
func (l *conn) withStderr() (wire.Target, *stderrWriter) {
	s := l.server
	target, w := s.target, &stderrWriter{log: s.opts.Stderr, process: s.ID, traces: l.inFlight.traces}
	target.OnStderr = w.write
	return target, w
}

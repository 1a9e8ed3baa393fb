package wire

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// StderrStream is the stream of a stderr line of a process: it comes from the server, but is not a message. In
// a file it is between the frames, without a number. If several connections are recorded together, it is
// prefixed with the name of the stream.
const StderrStream = "stderr"

// IsStderr reports whether a frame of a file is a stderr line.
func IsStderr(f Frame) bool {
	return f.From == Server && (f.Stream == StderrStream || strings.HasSuffix(f.Stream, "/"+StderrStream))
}

// Limits of the stderr lines of one process in a transcript. A longer part of a line is examined than is
// written, so that a secret is recognized before it is cut.
const (
	maxAsides         = 10_000
	maxStderrLine     = 4 << 10
	maxBufferedStderr = 2 * maxStderrLine
)

// stderrRecorder splits the stderr output of a process into lines and records them next to the frames.
type stderrRecorder struct {
	log   *Transcript
	line  []byte
	since time.Time // when the line started
	open  bool
	n     int
}

// record handles output.
func (a *stderrRecorder) record(p []byte) {
	if !a.log.recordsStderr() {
		return
	}
	for len(p) > 0 && a.n <= maxAsides {
		if !a.open {
			a.open, a.line, a.since = true, a.line[:0], time.Now()
		}
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		a.line = append(a.line, line[:min(len(line), maxBufferedStderr-len(a.line))]...)
		if ended {
			a.end()
		}
		p = rest
	}
}

// end records the line that is open, if there is one.
func (a *stderrRecorder) end() {
	if !a.open {
		return
	}
	a.open = false
	if a.n++; a.n > maxAsides {
		a.line = []byte("… (truncated)")
	}
	a.log.recordStderr(Frame{Time: a.since, From: Server, Stream: StderrStream,
		Body: bytes.TrimSuffix(a.line, []byte("\r"))})
}

// recordsStderr reports whether stderr lines are recorded.
func (t *Transcript) recordsStderr() bool {
	for t != nil && t.parent != nil {
		t = t.parent
	}
	return t != nil && t.opts.Stderr != nil
}

// recordStderr records a stderr line: it is written and reported like a frame, but neither numbered nor stored.
func (t *Transcript) recordStderr(f Frame) {
	if t.parent != nil {
		if t.conn != 0 {
			f.Conn = t.conn
		}
		f.Stream = t.streamAbove(f.Stream)
		t.parent.recordStderr(f)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f.Body = []byte(clip.Head(t.opts.Stderr(string(f.Body)), maxStderrLine))
	if t.opts.Out != nil && t.failure == nil {
		t.failure = t.write(f)
	}
	if t.opts.OnFrame != nil {
		t.opts.OnFrame(f)
	}
}

// colours matches terminal escape sequences for colors and cursor movement.
var colours = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// Plain returns stderr output for display: text, without escape sequences.
func Plain(stderr string) string {
	return strings.ToValidUTF8(colours.ReplaceAllString(stderr, ""), "�")
}

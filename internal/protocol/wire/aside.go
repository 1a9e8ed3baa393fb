package wire

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// StderrStream is the stream of a line that a process wrote to its standard error: from the server, yet no message of it. In
// a file it stands between the frames, without a number. Where several connections are recorded together, the name of its
// own stands before it.
const StderrStream = "stderr"

// IsStderr tells whether a frame of a file is a line of standard error.
func IsStderr(f Frame) bool {
	return f.From == Server && (f.Stream == StderrStream || strings.HasSuffix(f.Stream, "/"+StderrStream))
}

// Bounds of the lines of standard error that a transcript writes of one process. More of a line is looked at than is written, so
// that a secret is not cut in two before it is known for one.
const (
	maxAsides    = 10_000
	longestAside = 4 << 10
	heardAside   = 2 * longestAside
)

// asides splits what a process writes to its standard error into lines and has them recorded beside the frames.
type asides struct {
	log   *Transcript
	line  []byte
	since time.Time // when the line began
	open  bool
	n     int
}

// hear takes what came.
func (a *asides) hear(p []byte) {
	if !a.log.wantsStderr() {
		return
	}
	for len(p) > 0 && a.n <= maxAsides {
		if !a.open {
			a.open, a.line, a.since = true, a.line[:0], time.Now()
		}
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		a.line = append(a.line, line[:min(len(line), heardAside-len(a.line))]...)
		if ended {
			a.end()
		}
		p = rest
	}
}

// end records the line that is open, if there is one.
func (a *asides) end() {
	if !a.open {
		return
	}
	a.open = false
	if a.n++; a.n > maxAsides {
		a.line = []byte("… and more, which is left out")
	}
	a.log.aside(Frame{Time: a.since, From: Server, Stream: StderrStream, Body: bytes.TrimSuffix(a.line, []byte("\r"))})
}

// wantsStderr tells whether lines of standard error are recorded.
func (t *Transcript) wantsStderr() bool {
	for t != nil && t.parent != nil {
		t = t.parent
	}
	return t != nil && t.opts.Stderr != nil
}

// aside records a line of standard error: it is written and told as frames are, but neither numbered nor kept.
func (t *Transcript) aside(f Frame) {
	if t.parent != nil {
		if t.conn != 0 {
			f.Conn = t.conn
		}
		f.Stream = t.streamAbove(f.Stream)
		t.parent.aside(f)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.opts.Stderr(string(f.Body))
	if len(text) > longestAside {
		text = strings.ToValidUTF8(text[:longestAside], "")
	}
	f.Body = []byte(text)
	if t.opts.Out != nil && t.failure == nil {
		t.failure = t.write(f)
	}
	if t.opts.OnFrame != nil {
		t.opts.OnFrame(f)
	}
}

// colours are what terminals take for colours and movements of the cursor.
var colours = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])`)

// Plain is what a process wrote to its standard error as it can be shown: text, without colours.
func Plain(stderr string) string {
	return strings.ToValidUTF8(colours.ReplaceAllString(stderr, ""), "�")
}

package inspector

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of the stderr lines in the timeline. The last output is also stored unchanged.
const (
	keepLines = 10_000
	longest   = 4 << 10 // of a line
)

// A StderrLine is one stderr line of a process, as a row of the timeline.
type StderrLine struct {
	N     int       `json:"n"`
	Time  time.Time `json:"time"`           // of its first byte
	After int       `json:"after"`          // the preceding frame; 0 if there is none
	Text  string    `json:"text"`           // without escape sequences; truncated if it is long
	Open  bool      `json:"open,omitempty"` // it may be incomplete
}

// StderrLines are stderr lines, in order.
type StderrLines struct {
	Lines []StderrLine `json:"lines"`
	First int          `json:"first"` // the oldest that is still stored
}

// A margin stores stderr output next to the frames. Its owner guards it.
type margin struct {
	lines []StderrLine // complete ones, oldest first
	n     int          // of the last line that was started
	open  *StderrLine  // nil between lines
	text  []byte       // of the open line
}

// write adds output with its time and the preceding frame.
func (m *margin) write(p []byte, at time.Time, after int) {
	for len(p) > 0 {
		if m.open == nil {
			m.n++
			m.open, m.text = &StderrLine{N: m.n, Time: at, After: after}, m.text[:0]
		}
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		m.text = append(m.text, line[:min(len(line), longest-len(m.text))]...)
		if ended {
			m.end()
		}
		p = rest
	}
}

// end closes the open line, if there is one.
func (m *margin) end() {
	if m.open == nil {
		return
	}
	line := *m.open
	line.Text, m.open = string(m.text), nil
	if m.lines = append(m.lines, line); len(m.lines) >= 2*keepLines {
		m.lines = slices.Clone(m.lines[len(m.lines)-keepLines:])
	}
}

// after lists the lines after the one with the number, including the open one.
func (m *margin) after(n int) StderrLines {
	kept := m.lines[max(0, len(m.lines)-keepLines):]
	out := StderrLines{Lines: []StderrLine{}, First: m.n + 1}
	if len(kept) > 0 {
		out.First = kept[0].N
	} else if m.open != nil {
		out.First = m.open.N
	}
	from, _ := slices.BinarySearchFunc(kept, n+1, func(line StderrLine, n int) int { return line.N - n })
	out.Lines = append(out.Lines, kept[from:]...)
	if m.open != nil && m.open.N > n {
		line := *m.open
		line.Text, line.Open = string(m.text), true
		out.Lines = append(out.Lines, line)
	}
	return out
}

// StderrLines returns the stderr lines of the process of a connection after the one with a number, without the
// secrets that it was given.
func (i *Inspector) StderrLines(id string, after int) (StderrLines, error) {
	c, err := i.conn(id)
	if err != nil {
		return StderrLines{}, err
	}
	c.mu.Lock()
	out := c.margin.after(after)
	c.mu.Unlock()
	for n, line := range out.Lines {
		out.Lines[n].Text = i.bench.Secrets.Exact(wire.Plain(strings.TrimSuffix(line.Text, "\r")))
	}
	return out, nil
}

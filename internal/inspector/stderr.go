package inspector

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Limits of the stderr lines in the timeline. The last output is also stored unchanged.
const (
	maxLines      = 10_000
	maxStderrLine = 4 << 10 // of a line
)

// A stderrBuffer stores stderr output next to the frames. Its owner guards it.
type stderrBuffer struct {
	lines []view.StderrLine // complete ones, oldest first
	n     int               // of the last line that was started
	open  *view.StderrLine  // nil between lines
	text  []byte            // of the open line
}

// write adds output with its time and the preceding frame.
func (m *stderrBuffer) write(p []byte, at time.Time, after int) {
	for len(p) > 0 {
		if m.open == nil {
			m.n++
			m.open, m.text = &view.StderrLine{N: m.n, Time: at, After: after}, m.text[:0]
		}
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		m.text = append(m.text, line[:min(len(line), maxStderrLine-len(m.text))]...)
		if ended {
			m.end()
		}
		p = rest
	}
}

// end closes the open line, if there is one.
func (m *stderrBuffer) end() {
	if m.open == nil {
		return
	}
	line := *m.open
	line.Text, m.open = string(m.text), nil
	if m.lines = append(m.lines, line); len(m.lines) >= 2*maxLines {
		m.lines = slices.Clone(m.lines[len(m.lines)-maxLines:])
	}
}

// after lists the lines after the one with the number, including the open one.
func (m *stderrBuffer) after(n int) view.StderrLines {
	kept := m.lines[max(0, len(m.lines)-maxLines):]
	out := view.StderrLines{Lines: []view.StderrLine{}, First: m.n + 1}
	if len(kept) > 0 {
		out.First = kept[0].N
	} else if m.open != nil {
		out.First = m.open.N
	}
	from, _ := slices.BinarySearchFunc(kept, n+1, func(line view.StderrLine, n int) int { return line.N - n })
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
func (i *Inspector) StderrLines(id string, after int) (view.StderrLines, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.StderrLines{}, err
	}
	c.mu.Lock()
	out := c.margin.after(after)
	c.mu.Unlock()
	for n, line := range out.Lines {
		out.Lines[n].Text = i.bench.Secrets.Exact(wire.Plain(strings.TrimSuffix(line.Text, "\r")))
	}
	return out, nil
}

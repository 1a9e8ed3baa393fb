package inspector

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

func show(lines view.StderrLines) string {
	var out strings.Builder
	for _, line := range lines.Lines {
		fmt.Fprintf(&out, "%d after %d at %d %q", line.N, line.After, line.Time.Second(), line.Text)
		if line.Open {
			out.WriteString(" …")
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Lines are put together from pieces. Each stands where its first byte came, and the last may go on.
func TestMarginPutsLinesTogether(t *testing.T) {
	at := func(s int) time.Time { return time.Date(2026, 1, 1, 0, 0, s, 0, time.UTC) }
	var m stderrBuffer
	m.write([]byte("one\ntw"), at(1), 0)
	m.write([]byte("o\n\nthr"), at(2), 4)
	if got, want := show(m.after(0)), "1 after 0 at 1 \"one\"\n2 after 0 at 1 \"two\"\n3 after 4 at 2 \"\"\n4 after "+
		"4 at 2 \"thr\" …\n"; got != want {
		t.Errorf("lines\n%swant\n%s", got, want)
	}
	m.write([]byte("ee"), at(3), 5)
	m.end()
	m.write([]byte("four"), at(3), 6)
	if got, want := show(m.after(3)), "4 after 4 at 2 \"three\"\n5 after 6 at 3 \"four\" …\n"; got != want {
		t.Errorf("after line 3\n%swant\n%s", got, want)
	}
}

func TestMarginIsBounded(t *testing.T) {
	var m stderrBuffer
	m.write([]byte(strings.Repeat("x", 10*maxStderrLine)), time.Time{}, 0)
	m.write([]byte(strings.Repeat("y", maxStderrLine)+"\n"), time.Time{}, 0)
	if got := m.after(0).Lines[0].Text; got != strings.Repeat("x", maxStderrLine) {
		t.Errorf("a long line has %d bytes, want its first %d", len(got), maxStderrLine)
	}
	for n := range 5 * maxLines {
		m.write(fmt.Appendf(nil, "%d\n", n), time.Time{}, n)
	}
	all := m.after(0)
	if len(all.Lines) != maxLines || all.First != 4*maxLines+2 ||
		all.Lines[maxLines-1].Text != fmt.Sprint(5*maxLines-1) {
		t.Errorf("%d lines from %d to %q, want the last %d", len(all.Lines), all.First,
			all.Lines[len(all.Lines)-1].Text, maxLines)
	}
	if len(m.lines) > 2*maxLines {
		t.Errorf("%d lines are held, want at most %d", len(m.lines), 2*maxLines)
	}
}

func TestColoursAreLeftOut(t *testing.T) {
	const written = "\x1b[1;31merror\x1b[0m at \x1b]8;;http://x\x07link\x1b]8;;\x07 [31m stays"
	const want = "error at link [31m stays"
	if got := wire.Plain(written); got != want {
		t.Errorf("without colours %q, want %q", got, want)
	}
	if got := view.ProblemOf(&wire.Error{Doing: "talk to", Target: "x", Err: io.EOF,
		Stderr: written}).Stderr; got != want {
		t.Errorf("the last words of a process are %q, want %q", got, want)
	}
}

package cli

import (
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/jsonfold"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A tracer writes frames as text, as they are sent and received. In a pipe, a frame without headers is one line with
// its exact body. On a terminal the body is folded, below what the message is.
type tracer struct {
	mu       sync.Mutex
	w        io.Writer
	color    bool
	columns  int // of the terminal; 0 in a pipe
	redact   func(http.Header) http.Header
	scrub    func(string) string
	sequence recordings.Sequence
	started  time.Time // of the first frame
}

func (a *app) newTracer() *tracer {
	t := &tracer{w: a.note(), color: a.env.colorful(a.env.Stderr) && !a.view.noColor, redact: a.secrets.Header,
		scrub: a.scrub, columns: a.env.columns(a.env.Stderr)}
	if a.view.noRedact {
		t.redact = func(h http.Header) http.Header { return h }
	}
	return t
}

// frame writes one frame: direction, number, time, stream, status; then its header and body.
func (t *tracer) frame(f wire.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	arrow, code := "→", "36"
	if f.From == wire.Server {
		arrow, code = "←", "35"
	}
	number := strconv.Itoa(f.Seq)
	if wire.IsStderr(f) {
		arrow, number, code = "│", "-", "2" // outside of the message stream
	}
	stream := report.Line(f.Stream) // a transcript may be from anybody
	if f.Conn > 1 {
		stream += fmt.Sprintf("#%d", f.Conn) // each connection has its own IDs
	}
	onTerminal := t.columns >= workbench.Narrowest
	folded := onTerminal && !wire.IsStderr(f)
	when := f.Time.Format("15:04:05.000")
	if onTerminal {
		when = t.elapsed(f.Time)
	}
	head := fmt.Sprintf("%s %s %s %s", arrow, number, when, stream)
	if onTerminal && wire.IsStderr(f) {
		head = fmt.Sprintf("%s %s", arrow, stream) // on a terminal the text is more important than its time
	}
	if f.Status != 0 {
		head += fmt.Sprintf(" HTTP %d", f.Status)
	}
	what := ""
	if folded {
		message := mcp.Read(f)
		what = " " + report.Line(t.sequence.Describe(&message))
		if message.IsRequest() {
			what += ", id " + clip.Text(string(message.ID), 40)
		}
	}
	head = t.paint(code, head) + t.paint("1", what)
	body := strings.TrimRight(string(f.Body), "\n")
	switch {
	case folded:
		fmt.Fprintln(t.w, head)
		t.header(f.Header)
		t.fold(body)
	case f.Header == nil && onTerminal:
		fmt.Fprintln(t.w, report.Hang(head+" "+report.Visible(strings.TrimRight(body, " ")), t.columns))
	case f.Header == nil:
		fmt.Fprintf(t.w, "%s %s\n", head, report.Visible(string(f.Body)))
	default:
		fmt.Fprintln(t.w, head)
		t.header(f.Header)
		if body != "" {
			fmt.Fprintf(t.w, "  %s\n", report.Visible(body))
		}
	}
	if f.Fault != "" {
		fmt.Fprintf(t.w, "  ! %s\n", report.Visible(t.scrub(f.Fault)))
	}
	if f.Err != nil {
		fmt.Fprintf(t.w, "  ! %s\n", report.Visible(t.scrub(f.Err.Error())))
	}
}

func (t *tracer) paint(code, text string) string {
	if !t.color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// elapsed is the time since the first frame.
func (t *tracer) elapsed(now time.Time) string {
	if t.started.IsZero() {
		t.started = now
	}
	return fmt.Sprintf("+%.3fs", max(now.Sub(t.started), 0).Seconds())
}

// The space for a body on a terminal.
const (
	foldedLines = 20
	foldedItems = 5
	foldedDepth = 3
)

// fold writes a body in the space of the terminal. The metadata that every message of a session repeats is omitted.
func (t *tracer) fold(body string) {
	if body == "" {
		return
	}
	lines, err := jsonfold.Lines([]byte(body), jsonfold.Options{Width: t.columns - 3, Lines: foldedLines,
		Items: foldedItems, Depth: foldedDepth, Hide: map[string]bool{"_meta": true}})
	if err != nil {
		lines = []string{clip.Sized(body, 2*t.columns)}
	}
	for _, line := range lines {
		fmt.Fprintf(t.w, "  %s\n", report.Visible(line))
	}
}

func (t *tracer) header(h http.Header) {
	h = t.redact(h)
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range h[name] {
			fmt.Fprintf(t.w, "  %s: %s\n", report.Visible(name), report.Visible(value))
		}
	}
}

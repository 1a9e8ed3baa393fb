package cli

import (
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A tracer writes frames as text, as they are sent and received.
type tracer struct {
	mu     sync.Mutex
	w      io.Writer
	color  bool
	redact func(http.Header) http.Header
	scrub  func(string) string
}

func (a *app) newTracer() *tracer {
	t := &tracer{w: a.note(), color: a.env.colorful(a.env.Stderr) && !a.view.noColor, redact: a.secrets.Header, scrub: a.scrub}
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
	stream := f.Stream
	if f.Conn > 1 {
		stream += fmt.Sprintf("#%d", f.Conn) // each connection has its own IDs
	}
	head := fmt.Sprintf("%s %s %s %s", arrow, number, f.Time.Format("15:04:05.000"), stream)
	if f.Status != 0 {
		head += fmt.Sprintf(" HTTP %d", f.Status)
	}
	if t.color {
		head = "\x1b[" + code + "m" + head + "\x1b[0m"
	}
	if f.Header == nil {
		fmt.Fprintf(t.w, "%s %s\n", head, report.Visible(string(f.Body)))
	} else {
		fmt.Fprintln(t.w, head)
		t.header(f.Header)
		if len(f.Body) > 0 {
			fmt.Fprintf(t.w, "  %s\n", report.Visible(strings.TrimRight(string(f.Body), "\n")))
		}
	}
	if f.Fault != "" {
		fmt.Fprintf(t.w, "  ! %s\n", report.Visible(t.scrub(f.Fault)))
	}
	if f.Err != nil {
		fmt.Fprintf(t.w, "  ! %s\n", report.Visible(t.scrub(f.Err.Error())))
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

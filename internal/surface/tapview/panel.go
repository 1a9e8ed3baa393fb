package tapview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A panel covers the list with text.
type panel struct {
	title  string
	text   []string // untrusted text is escaped
	top    int
	detail bool // of the frame under the cursor
}

// maxShown is how much of a body is shown.
const maxShown = 128 << 10

const help = `↑ ↓ j k            previous, next message
PgUp PgDn g G      page, first, last; on the last message new ones are followed
Enter              details of the message
p Tab              jump to the response of a request, or to its request
/ n N              search in all messages; next, previous match
m                  filter by method
i                  filter by id
d                  filter by sender: client, server, stderr, all
e                  show only errors and violations
Esc                clear the filter
c                  copy the request as an mcptest command
t                  copy the request as a test of a suite
r                  report of injected faults
q Ctrl+C           quit

A copied text is in the clipboard if the terminal permits it, and is printed
when you quit.`

func (m *model) openHelp() { m.panel = &panel{title: "keys", text: strings.Split(help, "\n")} }

// openReport shows what the client did after each injected fault.
func (m *model) openReport() {
	if m.session.Faults == nil {
		m.status = "no faults were injected"
		return
	}
	faults, err := tap.FaultReport(context.Background(), m.source.Dir, m.session)
	if err != nil || faults == nil {
		m.status = "no report of faults yet"
		return
	}
	p := &panel{title: "injected faults"}
	for _, line := range tap.FaultLines(faults, m.session.Faults.Seed) {
		p.text = append(p.text, report.Line(line))
	}
	m.panel = p
}

// openDetail shows the row under the cursor.
func (m *model) openDetail() {
	r := m.current()
	switch {
	case r == nil:
	case !r.isFrame():
		m.panel = &panel{title: "stderr", text: []string{r.Time.Local().Format("15:04:05.000"), "", report.Line(r.stderr)}}
	default:
		m.panel = &panel{title: fmt.Sprintf("frame %d", r.Seq), text: m.detail(r), detail: true}
	}
}

// detail returns all about a frame.
func (m *model) detail(r *row) []string {
	f, kept := m.feed.log.Frame(r.Seq)
	lines := []string{fmt.Sprintf("from %s at %s, %s, %s", r.From, r.Time.Local().Format("15:04:05.000"),
		report.Line(clip.Text(r.Stream, 80)), workbench.Size(r.Size))}
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, name+": "+report.Line(text))
		}
	}
	add("message", strings.TrimSpace(r.Kind+" "+clip.Text(r.Method+" "+r.Name, 300)))
	add("id", clip.Text(r.IDJSON, 200))
	if r.Pair != 0 {
		what := "response"
		if r.Pair < r.Seq {
			what = "request"
		}
		add(what, fmt.Sprintf("frame %d", r.Pair))
	}
	if r.ElapsedNS > 0 {
		add("duration", took(r.ElapsedNS))
	}
	add("verdict", m.verdict(r))
	add("fault", clip.Text(r.Fault, 500))
	for _, odd := range r.Odd {
		add("violation", clip.Text(odd, 500))
	}
	if r.Status != 0 {
		add("HTTP status", fmt.Sprint(r.Status))
	}
	if !kept {
		return append(lines, "", "the bytes of this frame are no longer in memory")
	}
	return append(append(append(lines, headerLines(f)...), ""), bodyLines(f.Body)...)
}

// headerLines lists the HTTP headers; secrets were redacted when they were recorded.
func headerLines(f wire.Frame) []string {
	var lines []string
	for name, values := range f.Header {
		for _, value := range values {
			lines = append(lines, report.Line("  "+clip.Text(name, 100)+": "+clip.Text(value, 500)))
		}
	}
	slices.Sort(lines)
	return lines
}

// bodyLines returns a body, indented if it is JSON.
func bodyLines(body []byte) []string {
	more := ""
	text := string(body)
	if len(body) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "")
		more = fmt.Sprintf("… %s more; run: mcptest tap export", workbench.Size(len(body)-maxShown))
	} else {
		text = view.Indent(body)
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, report.Line(line))
	}
	if more != "" {
		lines = append(lines, more)
	}
	return lines
}

// copyAs shows the request of the row as a command (c) or a test (t), and copies it.
func (m *model) copyAs(key string) tea.Cmd {
	text, title, err := m.reproduction(key)
	if err != nil {
		m.status = report.Line(err.Error())
		return nil
	}
	m.copied = text
	p := &panel{title: title + " (copied; printed when you quit)"}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		p.text = append(p.text, report.Line(line))
	}
	m.panel = p
	return tea.SetClipboard(text)
}

func (m *model) reproduction(key string) (text, title string, err error) {
	r := m.current()
	if r == nil {
		return "", "", fmt.Errorf("no message")
	}
	seq := r.Seq
	if r.Pair != 0 && r.Pair < r.Seq {
		seq = r.Pair
	}
	request, _ := m.feed.log.Frame(seq)
	if key == "t" {
		text, err = recordings.SuiteTest(m.session, m.source.Here, m.feed.log.Since(0), seq)
		return text, "test of a suite", err
	}
	text, err = recordings.Command(m.session, m.source.Here, request)
	return text + "\n", "command", err
}

// took formats a duration with about three digits.
func took(ns int64) string { return recordings.Round(time.Duration(ns)).String() }

package tapview

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/screen"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// narrow is the width below which columns are hidden.
const narrow = 64

// headHeight is the number of lines above the list, footHeight below it.
const (
	headHeight = 3
	footHeight = 1
)

func (m *model) listHeight() int { return max(m.height-headHeight-footHeight, 0) }

// render draws the whole screen: the session, the messages, the keys.
func (m *model) render() string {
	if m.width == 0 || m.height == 0 {
		return "" // the terminal has not reported its size yet
	}
	p := &screen.Page{Width: m.width, Color: m.color}
	if m.panel != nil {
		m.renderPanel(p)
	} else {
		m.head(p)
		m.list(p)
	}
	for len(p.Lines) < m.height-footHeight {
		p.Add("")
	}
	p.Lines = p.Lines[:max(min(len(p.Lines), m.height-footHeight), 0)]
	p.Add(m.foot(p))
	return strings.Join(p.Lines, "\n")
}

// head shows which session it is and how it is doing.
func (m *model) head(p *screen.Page) {
	s := m.session
	p.Add(p.Paint(screen.Bold, "mcptest tap") + "  " + report.Line(clip.Text(recordings.ServerName(s), 200)))
	outcome := report.Line(recordings.Outcome(s))
	if m.failure != nil {
		outcome = p.Paint(screen.Red, report.Line("cannot read more: "+m.failure.Error()))
	}
	p.Add(fmt.Sprintf("%s  %s  %s", report.Line(clip.Text(recordings.ClientName(s), 60)),
		workbench.Plural(len(m.rows), "row"), outcome))
	columns, _ := m.columns()
	titles := []string{"", "#", "TIME", "", "MESSAGE", "TOOK", "VERDICT", "SIZE"}
	p.Add(p.Paint(screen.Dim, p.Row(columns, titles[:len(columns)]...)))
}

// columns returns the widths of the columns; a narrow terminal has fewer.
func (m *model) columns() (columns []int, what int) {
	if m.width < narrow {
		what = max(m.width-28, 8)
		return []int{-1, 4, 8, -1, -what, 8}, what
	}
	verdict := min(12+max(m.width-90, 0)/3, 40)
	what = max(m.width-(1+1+6+1+9+1+1+1+1+8+1+verdict+1+9), 8)
	return []int{-1, 6, 9, -1, -what, 8, -verdict, 9}, what
}

// list shows the rows around the cursor.
func (m *model) list(p *screen.Page) {
	height := m.listHeight()
	m.top = min(max(m.top, m.cursor-height+1), m.cursor)
	m.top = max(min(m.top, len(m.shown)-height), 0)
	if len(m.shown) == 0 {
		text := "no messages yet"
		if len(m.rows) > 0 {
			text = "no matching messages; press Esc to clear the filter"
		}
		p.Add("")
		p.Add("  " + text)
		return
	}
	pair := 0
	if r := m.current(); r != nil {
		pair = r.Pair
	}
	for i := m.top; i < min(m.top+height, len(m.shown)); i++ {
		m.line(p, &m.rows[m.shown[i]], i == m.cursor, pair)
	}
}

// line shows a row.
func (m *model) line(p *screen.Page, r *row, selected bool, pair int) {
	columns, what := m.columns()
	mark := " "
	switch {
	case selected:
		mark = ">"
	case pair != 0 && r.Seq == pair:
		mark = "↔"
	}
	at := fmt.Sprintf("+%.3f", max(r.Time.Sub(m.rows[0].Time), 0).Seconds())
	cells := []string{mark, "", at, "│", report.Line(r.stderr), "", "", ""}
	if r.isFrame() {
		elapsed := ""
		if r.ElapsedNS > 0 {
			elapsed = took(r.ElapsedNS)
		}
		cells = []string{mark, fmt.Sprint(r.Seq), at, arrow(r.From), m.what(r, what), elapsed, report.Line(m.verdict(r)),
			workbench.Size(r.Size)}
	}
	line := p.Row(columns, cells[:len(columns)]...)
	switch {
	case selected && p.Color:
		line = p.Paint(screen.Reverse, line+strings.Repeat(" ", max(m.width-ansi.StringWidth(line), 0)))
	case !r.isFrame():
		line = p.Paint(screen.Dim, line)
	case failed(r, m.running):
		line = p.Paint(screen.Red, line)
	case r.Kind == "request" && r.Pair == 0:
		line = p.Paint(screen.Yellow, line)
	}
	p.Add(line)
}

func arrow(from string) string {
	if from == "client" {
		return "→"
	}
	return "←"
}

// what describes the message of a row.
func (m *model) what(r *row, width int) string {
	text := strings.TrimSpace(clip.Text(r.Method, 100) + " " + clip.Text(r.Name, 100))
	switch r.Kind {
	case "result", "error":
		if text == "" {
			text = r.Kind
		}
		text = "↳ " + text
	case "http":
		text = strings.TrimSpace(fmt.Sprintf("HTTP %d", r.Status) + " " + text)
	case "batch":
		text = "batch " + text
	case "other":
		text = "not a message: " + clip.Text(r.Preview, 100)
	}
	text = report.Line(text)
	if r.IDJSON == "" {
		return text
	}
	id := " #" + report.Line(clip.Text(strings.Trim(r.IDJSON, `"`), 12))
	return ansi.Truncate(text, max(width-ansi.StringWidth(id), 1), "…") + id
}

// verdict returns the verdict on the exchange of a row, or what else is wrong with it.
func (m *model) verdict(r *row) string {
	switch {
	case r.Verdict != "" && (r.Verdict != view.Succeeded || len(r.Odd) == 0):
		return r.Verdict
	case len(r.Odd) > 0:
		return "violation"
	case r.Fault != "":
		return "fault"
	case r.Status >= 400:
		return fmt.Sprintf("HTTP %d", r.Status)
	case r.Kind == "request" && r.Pair == 0 && m.running:
		return "waiting"
	case r.Kind == "request" && r.Pair == 0:
		return "no response"
	}
	return ""
}

// renderPanel shows the panel instead of the list.
func (m *model) renderPanel(p *screen.Page) {
	p.Add(p.Paint(screen.Bold, m.panel.title))
	var lines []string
	for _, line := range m.panel.text {
		lines = append(lines, strings.Split(ansi.Hardwrap(line, max(m.width, 1), true), "\n")...)
	}
	height := max(m.height-1-footHeight, 0)
	m.panel.top = max(min(m.panel.top, len(lines)-height), 0)
	for _, line := range lines[m.panel.top:min(m.panel.top+height, len(lines))] {
		p.Add(line)
	}
}

// keys are the most important keys; the help has all of them.
const keys = "q quit  ? keys  ↑↓ move  Enter details  / search  e errors  d sender  m method  i id  p pair  c command  " +
	"t test"

// foot is the last line: what the user types, a message, or the keys.
func (m *model) foot(p *screen.Page) string {
	switch {
	case m.prompt != nil:
		return report.Line(m.prompt.label+m.prompt.text) + "▏"
	case m.status != "":
		return p.Paint(screen.Yellow, report.Line(m.status))
	case m.panel != nil && m.panel.detail:
		return p.Paint(screen.Dim, "q back  ↑↓ scroll  p pair  c command  t test")
	case m.panel != nil:
		return p.Paint(screen.Dim, "q back  ↑↓ scroll")
	}
	if f := m.filter.String(); f != "" {
		return p.Paint(screen.Yellow, "filter: "+report.Line(f)+"  Esc clear") + "  " + p.Paint(screen.Dim, "? keys")
	}
	return p.Paint(screen.Dim, keys)
}

package dashboard

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/screen"
)

// narrow is the width below which columns are hidden.
const narrow = 74

// render draws the whole screen: the figures, the servers, the warnings, the last calls, the keys.
func render(m *model) string {
	if m.width == 0 || m.height == 0 {
		return "" // the terminal has not reported its size yet
	}
	p := &screen.Page{Width: m.width, Color: m.color}
	m.head(p)
	room := m.height - len(p.Lines) - 1 // without the line of keys
	notices := m.notices[max(0, len(m.notices)-min(3, max(room/6, 0))):]
	servers := m.serverLines()
	forServers := min(len(servers), max(room/2, room-len(notices)-2-len(m.shown.Recent)-1))
	for _, line := range servers[:max(min(forServers, room), 0)] {
		p.Add(line)
	}
	for _, notice := range notices {
		p.Add(p.Paint(screen.Yellow, report.Visible(notice)))
	}
	m.calls(p, m.height-1-len(p.Lines))
	for len(p.Lines) < m.height-1 {
		p.Add("")
	}
	p.Lines = p.Lines[:max(min(len(p.Lines), m.height-1), 0)]
	p.Add(m.keys(p))
	return strings.Join(p.Lines, "\n")
}

// head shows the title and the figures of all calls.
func (m *model) head(p *screen.Page) {
	s := &m.shown
	state := "up " + age(s.Time.Sub(s.Started))
	if s.Leaving {
		state = p.Paint(screen.Yellow, "shutting down, waiting for in-flight calls")
	}
	p.Add(p.Paint(screen.Bold, "mcptest gateway") + "  " + m.source.Address + "  " + state)
	if m.token && m.source.Token != "" {
		p.Add("Authorization: Bearer " + m.source.Token)
	}
	errors := count(s.Calls.Errors, "error")
	if s.Calls.Errors > 0 {
		errors = p.Paint(screen.Red, errors)
	}
	rates := fmt.Sprintf("%s calls/s  p50 %s  p99 %s", number(s.Calls.PerSecond), time1(s.Calls.P50),
		time1(s.Calls.P99))
	counts := strings.Join([]string{count(s.Calls.Total, "call"), errors, count(int64(s.ToolCount), "tool"),
		count(int64(s.Sessions), "session")}, "  ")
	if m.width >= narrow {
		p.Add(rates + "  " + counts)
	} else {
		p.Add(rates)
		p.Add(counts)
	}
	p.Add("")
}

// serverLines is the table of servers, from the first visible one.
func (m *model) serverLines() []string {
	p := &screen.Page{Width: m.width, Color: m.color}
	wide := m.width >= narrow
	columns := []int{-min(max(m.width-27, 8), 28), -9, 8, 7}
	titles := []string{"SERVER", "STATE", "CALLS/S", "ERRORS"}
	if wide {
		columns[0] = -min(m.width-63, 28)
		columns, titles = append(columns, 9, 9, 6, 8), append(titles, "P50", "P99", "TOOLS", "SINCE")
	}
	lines := []string{p.Paint(screen.Dim, p.Row(columns, titles...))}
	for _, s := range m.shown.Servers[min(m.first, len(m.shown.Servers)):] {
		cells := []string{report.Visible(s.Name), p.Paint(colorOf(s.State), string(s.State)), number(s.Calls.PerSecond),
			fmt.Sprint(s.Calls.Errors)}
		if wide {
			cells = append(cells, time1(s.Calls.P50), time1(s.Calls.P99), fmt.Sprint(s.Tools),
				age(m.shown.Time.Sub(s.Since)))
		}
		lines = append(lines, p.Row(columns, cells...))
		if s.Error != "" {
			lines = append(lines, "  "+p.Paint(screen.Dim, report.Visible(strings.ReplaceAll(s.Error, "\n", " "))))
		}
	}
	if len(m.shown.Servers) == 0 {
		lines = append(lines, "no servers")
	}
	return append(lines, "")
}

// calls shows the last calls that fit.
func (m *model) calls(p *screen.Page, room int) {
	wide := m.width >= narrow
	columns, titles := []int{-8, 8, -max(m.width-37, 8), -18}, []string{"TIME", "TOOK", "CALL", "OUTCOME"}
	if wide {
		columns[2] = -min(m.width-52, 50)
		columns, titles = append(columns, -14), append(titles, "CALLER")
	}
	if room < 2 {
		return
	}
	p.Add(p.Paint(screen.Dim, p.Row(columns, titles...)))
	for _, c := range m.shown.Recent[:min(len(m.shown.Recent), room-1)] {
		cells := []string{c.Time.Local().Format(time.TimeOnly), time1(c.Elapsed),
			report.Visible(c.Server + "/" + c.Tool), c.Outcome}
		if wide {
			cells = append(cells, report.Visible(c.Caller))
		}
		line := p.Row(columns, cells...)
		if c.Outcome != string(invoke.Success) {
			line = p.Paint(screen.Red, line)
		}
		p.Add(line)
	}
}

func (m *model) keys(p *screen.Page) string {
	text := "q quit"
	if m.shown.Leaving {
		text = "q quit now"
	}
	if m.source.Token != "" {
		text += "  t token"
	}
	return ansi.Truncate(p.Paint(screen.Dim, text+"  ↑↓ servers"), p.Width, "…")
}

func colorOf(s upstream.State) string {
	switch s {
	case upstream.Ready:
		return screen.Green
	case upstream.Down, upstream.Unauthorized:
		return screen.Red
	}
	return screen.Yellow
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// number formats a rate with significant digits.
func number(n float64) string {
	if n >= 100 || n == 0 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f", n)
}

// time1 formats a duration in milliseconds.
func time1(ms float64) string {
	switch {
	case ms == 0:
		return "–"
	case ms < 1:
		return fmt.Sprintf("%.0f µs", ms*1000)
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// age formats a duration in its two largest units.
func age(d time.Duration) string {
	d = max(d, 0).Truncate(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

package dashboard

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The text styles.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// A page is a list of lines of one width.
type page struct {
	width int
	color bool
	lines []string
}

// add adds a line, cut to the width.
func (p *page) add(line string) { p.lines = append(p.lines, ansi.Truncate(line, p.width, "…")) }

// paint styles a text if color may be used.
func (p *page) paint(how, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + how + "m" + text + "\x1b[0m"
}

// row formats cells in columns; a negative width means left-aligned.
func (p *page) row(columns []int, cells ...string) string {
	var b strings.Builder
	for i, cell := range cells {
		width, left := columns[i], false
		if width < 0 {
			width, left = -width, true
		}
		cell = ansi.Truncate(strings.ReplaceAll(cell, "\n", " "), width, "…")
		blank := strings.Repeat(" ", max(width-ansi.StringWidth(cell), 0))
		if left {
			cell += blank
		} else {
			cell = blank + cell
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ")
}

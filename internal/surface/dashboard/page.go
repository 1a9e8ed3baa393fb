package dashboard

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The ways to paint a text.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// A page is lines of one width.
type page struct {
	width int
	color bool
	lines []string
}

// add adds a line, cut to the width.
func (p *page) add(line string) { p.lines = append(p.lines, ansi.Truncate(line, p.width, "…")) }

// paint paints a text where colours may be used.
func (p *page) paint(how, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + how + "m" + text + "\x1b[0m"
}

// row puts cells into columns; one of a negative width begins at the left.
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

// Package screen lays out lines of text for a terminal: cut to its width, in columns, with styles.
package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The text styles.
const (
	Bold    = "1"
	Dim     = "2"
	Reverse = "7"
	Red     = "31"
	Green   = "32"
	Yellow  = "33"
)

// A Page is a list of lines of one width.
type Page struct {
	Width int
	Color bool
	Lines []string
}

// Add adds a line, cut to the width.
func (p *Page) Add(line string) { p.Lines = append(p.Lines, ansi.Truncate(line, p.Width, "…")) }

// Paint styles a text if color may be used.
func (p *Page) Paint(how, text string) string {
	if !p.Color {
		return text
	}
	return "\x1b[" + how + "m" + text + "\x1b[0m"
}

// Row formats cells in columns; a negative width means left-aligned.
func (p *Page) Row(columns []int, cells ...string) string {
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

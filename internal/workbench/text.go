package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A Text writes text output. It uses color if the writer supports it.
type Text struct {
	w       io.Writer
	color   bool
	links   bool
	blocks  bool
	Columns int // columns of a line; 0 means unlimited
	Err     error
}

// Colorful is a writer that reports whether color may be used.
type Colorful interface{ Color() bool }

// Linked is a writer that reports whether text may be a hyperlink.
type Linked interface{ Links() bool }

// Blocky is a writer that reports whether it can show block elements.
type Blocky interface{ Blocks() bool }

// Wide is a writer that reports its number of columns; 0 means unlimited.
type Wide interface{ Columns() int }

func NewText(w io.Writer) *Text {
	t := &Text{w: w}
	if c, ok := w.(Colorful); ok {
		t.color = c.Color()
	}
	if c, ok := w.(Linked); ok {
		t.links = c.Links()
	}
	if c, ok := w.(Blocky); ok {
		t.blocks = c.Blocks()
	}
	if c, ok := w.(Wide); ok {
		t.Columns = c.Columns()
	}
	return t
}

// Line writes a formatted line, wrapped at spaces on a terminal. The first write error is stored.
func (t *Text) Line(s string) { t.write(report.Hang(s, t.Columns)) }

// Parts writes a line of parts that are not broken; lines after the first are indented.
func (t *Text) Parts(indent int, parts ...string) { t.Line(report.Layout(parts, indent, t.Columns)) }

// Command writes a shell command after head. If it is longer than a line, it is continued with backslashes.
func (t *Text) Command(head, command string) {
	t.write(report.Command(head, report.Line(command), t.Columns))
}

func (t *Text) write(s string) {
	if t.Err == nil {
		_, t.Err = io.WriteString(t.w, s+"\n")
	}
}

// Show writes text from a server, with control characters made visible and line breaks kept. It is not wrapped.
func (t *Text) Show(s string) {
	t.write(report.Visible(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")))
}

// Narrowest is the minimum number of columns for wrapping.
const Narrowest = 40

// Fill writes wrapped prose after an indent; lines after the first are indented further. With unlimited
// columns, as in a pipe, it stays on one line.
func (t *Text) Fill(indent int, s string) {
	before := strings.Repeat(" ", indent)
	s = report.Line(strings.TrimRight(s, "\r\n"))
	if t.Columns < Narrowest {
		t.Line(before + s)
		return
	}
	t.Line(report.Fill(before, before+"  ", s, t.Columns))
}

func (t *Text) Bold(format string, args ...any) string { return t.label("1", format, args) }
func (t *Text) Dim(format string, args ...any) string  { return t.label("2", format, args) }
func (t *Text) Bad(format string, args ...any) string  { return t.Paint("31", format, args) }
func (t *Text) Good(format string, args ...any) string { return t.Paint("32", format, args) }

// Strong makes text bold that may contain a hyperlink.
func (t *Text) Strong(text string) string {
	if !t.color {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// label is paint for names, which stay on one line.
func (t *Text) label(code, format string, args []any) string {
	return t.Paint(code, "%s", []any{report.Line(fmt.Sprintf(format, args...))})
}

func (t *Text) Paint(code, format string, args []any) string {
	s := report.Visible(fmt.Sprintf(format, args...))
	if !t.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Bar returns a bar of which a part is filled, in ASCII if the writer cannot show block elements. It is empty without
// color: a bar is decoration for terminals.
func (t *Text) Bar(filled, size int) string {
	switch {
	case !t.color:
		return ""
	case t.blocks:
		return strings.Repeat("█", filled) + strings.Repeat("░", size-filled)
	}
	return strings.Repeat("#", filled) + strings.Repeat("-", size-filled)
}

// Link makes visible text a hyperlink if the writer supports it, and reports whether it does.
func (t *Text) Link(text, url string) (string, bool) {
	if !t.links || url == "" {
		return text, false
	}
	return report.Hyperlink(text, url), true
}

// Describe writes the first line of an entry's description below it.
func (t *Text) Describe(entry json.RawMessage) {
	description := strings.TrimSpace(schema.TextAt(entry, "/description"))
	if description == "" {
		description = schema.TextAt(entry, "/title")
	}
	first, _, _ := strings.Cut(description, "\n")
	if first != "" {
		first = report.Visible(clip.Runes(first, 160))
		if t.Columns >= Narrowest {
			first = strings.TrimPrefix(report.Fill("    ", "    ", first, t.Columns), "    ")
		}
		t.Line("    " + first)
	}
}

// JSON writes an indented JSON value; numbers, key order and escapes are unchanged.
func (t *Text) JSON(raw json.RawMessage) {
	value := jsontext.Value(bytes.Clone(raw))
	err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		value = jsontext.Value(raw)
	}
	t.Show(string(value))
}

func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Size formats a number of bytes.
func Size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return Plural(n, "byte")
}

// JoinNames lists names, at most three of them.
func JoinNames(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

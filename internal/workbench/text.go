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

// A text writes text output. It uses color if the writer supports it.
type text struct {
	w       io.Writer
	color   bool
	columns int // columns of a line; 0 means unlimited
	err     error
}

// Colorful is a writer that reports whether color may be used.
type Colorful interface{ Color() bool }

// Wide is a writer that reports its number of columns; 0 means unlimited.
type Wide interface{ Columns() int }

func newText(w io.Writer) *text {
	t := &text{w: w}
	if c, ok := w.(Colorful); ok {
		t.color = c.Color()
	}
	if c, ok := w.(Wide); ok {
		t.columns = c.Columns()
	}
	return t
}

// line writes a formatted line. The first write error is stored.
func (t *text) line(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, s+"\n")
	}
}

// show writes text from a server, with control characters made visible and line breaks kept.
func (t *text) show(s string) {
	t.line(report.Visible(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")))
}

// narrowest is the minimum number of columns for wrapping.
const narrowest = 40

// fill writes wrapped prose after an indent; lines after the first are indented further. With unlimited
// columns, as in a pipe, it stays on one line.
func (t *text) fill(indent int, s string) {
	before := strings.Repeat(" ", indent)
	s = report.Line(strings.TrimRight(s, "\r\n"))
	if t.columns < narrowest {
		t.line(before + s)
		return
	}
	t.line(report.Fill(before, before+"  ", s, t.columns))
}

func (t *text) bold(format string, args ...any) string { return t.label("1", format, args) }
func (t *text) dim(format string, args ...any) string  { return t.label("2", format, args) }
func (t *text) bad(format string, args ...any) string  { return t.paint("31", format, args) }
func (t *text) good(format string, args ...any) string { return t.paint("32", format, args) }

// label is paint for names, which stay on one line.
func (t *text) label(code, format string, args []any) string {
	return t.paint(code, "%s", []any{report.Line(fmt.Sprintf(format, args...))})
}

func (t *text) paint(code, format string, args []any) string {
	s := report.Visible(fmt.Sprintf(format, args...))
	if !t.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// describe writes the first line of an entry's description below it.
func (t *text) describe(entry json.RawMessage) {
	description := strings.TrimSpace(textAt(entry, "/description"))
	if description == "" {
		description = textAt(entry, "/title")
	}
	first, _, _ := strings.Cut(description, "\n")
	if first != "" {
		t.line("    " + report.Visible(clip.Runes(first, 160)))
	}
}

// json writes an indented JSON value; numbers, key order and escapes are unchanged.
func (t *text) json(raw json.RawMessage) {
	value := jsontext.Value(bytes.Clone(raw))
	err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		value = jsontext.Value(raw)
	}
	t.show(string(value))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// textAt returns the string at a pointer, or "".
func textAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	s, _ := schema.Text(raw)
	return s
}

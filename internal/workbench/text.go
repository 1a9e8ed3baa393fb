package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A text writes for people. Colour is used when the writer says that it is a terminal that wants it.
type text struct {
	w       io.Writer
	color   bool
	columns int // of a line; 0 means any
	err     error
}

// Colorful is a writer that can tell whether colours may be used on it.
type Colorful interface{ Color() bool }

// Wide is a writer that can tell how many columns a line on it may have; 0 means any number.
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

// line writes a line that is ready to be shown. The first failure to write is kept.
func (t *text) line(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, s+"\n")
	}
}

// show writes text of a server's, made visible, with its own line breaks.
func (t *text) show(s string) {
	t.line(report.Visible(strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")))
}

// narrowest is how many columns a line must have to be laid out in them.
const narrowest = 40

// fill writes prose behind an indent, laid out in the columns that there are; lines after the first begin further in. Where
// there may be any number, as in a pipe, it stays one line.
func (t *text) fill(indent int, s string) {
	before := strings.Repeat(" ", indent)
	if t.columns < narrowest {
		t.show(before + s)
		return
	}
	t.line(report.Fill(before, before+"  ", report.Visible(s), t.columns))
}

func (t *text) bold(format string, args ...any) string { return t.paint("1", format, args) }
func (t *text) dim(format string, args ...any) string  { return t.paint("2", format, args) }
func (t *text) bad(format string, args ...any) string  { return t.paint("31", format, args) }
func (t *text) good(format string, args ...any) string { return t.paint("32", format, args) }

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
		t.line("    " + report.Visible(clip(first, 160)))
	}
}

// json writes a JSON value indented; numbers, key order and escapes stay as they came.
func (t *text) json(raw json.RawMessage) {
	value := jsontext.Value(bytes.Clone(raw))
	err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		value = jsontext.Value(raw)
	}
	t.show(string(value))
}

// clip shortens text to about n characters.
func clip(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// textAt is the string at a pointer, or "".
func textAt(doc json.RawMessage, pointer string) string {
	raw, _ := schema.Get(doc, pointer)
	s, _ := schema.Text(raw)
	return s
}

package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A text writes for people. Colour is used when the writer says that it is a terminal that wants it.
type text struct {
	w     io.Writer
	color bool
	err   error
}

// Colorful is a writer that can tell whether colours may be used on it.
type Colorful interface{ Color() bool }

func newText(w io.Writer) *text {
	c, ok := w.(Colorful)
	return &text{w: w, color: ok && c.Color()}
}

// line writes a line that is ready to be shown. The first failure to write is kept.
func (t *text) line(s string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, s+"\n")
	}
}

// show writes text of a server's, made visible, with its own line breaks.
func (t *text) show(s string) { t.line(Visible(strings.TrimRight(s, "\n"))) }

func (t *text) bold(format string, args ...any) string { return t.paint("1", format, args) }
func (t *text) dim(format string, args ...any) string  { return t.paint("2", format, args) }
func (t *text) bad(format string, args ...any) string  { return t.paint("31", format, args) }
func (t *text) good(format string, args ...any) string { return t.paint("32", format, args) }

func (t *text) paint(code, format string, args []any) string {
	s := Visible(fmt.Sprintf(format, args...))
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
		t.line("    " + Visible(clip(first, 160)))
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

// Visible makes text of a server's safe for a terminal: control characters, escapes and characters that reorder or
// hide text are shown as what they are.
func Visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0):
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.Is(unicode.Bidi_Control, r) || (r >= 0xE0000 && r <= 0xE007F) || r == 0x200B || r == 0x2060 || r == 0xFEFF:
			fmt.Fprintf(&b, `\u{%X}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
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

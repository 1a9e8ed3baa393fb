package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// escapeControl escapes what a terminal or a viewer would interpret or hide: control characters, ANSI sequences,
// bidirectional controls, invisible characters, and bytes that are not UTF-8.
func escapeControl(text string) string {
	if clean(text) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case joins(text, i, r, size):
			out.WriteString(text[i : i+size])
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\r':
			out.WriteString(`\r`)
		case r == '\t':
			out.WriteString(`\t`)
		case r < 0x80 && hidden(r):
			fmt.Fprintf(&out, `\x%02x`, r)
		case hidden(r):
			fmt.Fprintf(&out, `\u{%x}`, r)
		default:
			out.WriteString(text[i : i+size])
		}
		i += size
	}
	return out.String()
}

// joins reports whether a zero-width joiner or non-joiner is legitimate: between two characters of a script that needs
// it, or within an emoji. Between ASCII letters it only hides.
func joins(text string, i int, r rune, size int) bool {
	if r != '\u200c' && r != '\u200d' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+size:])
	return joinable(before) && joinable(after)
}

func joinable(r rune) bool {
	return r > unicode.MaxASCII && r != utf8.RuneError && !hidden(r) &&
		unicode.In(r, unicode.L, unicode.M, unicode.So, unicode.Sk)
}

// withoutLayout removes line breaks and tabs.
var withoutLayout = strings.NewReplacer("\n", "", "\t", "")

// Visible makes untrusted text safe to show: line breaks and tabs stay, everything else that a terminal would interpret
// or hide is escaped.
func Visible(text string) string {
	if clean(withoutLayout.Replace(text)) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j, part := range parts {
			parts[j] = escapeControl(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

// Line is Visible for a name or another text that must stay on one line: line breaks and tabs are escaped, too. A
// server could otherwise add lines to a report.
func Line(text string) string { return escapeControl(text) }

// visibleLines is visible for text that may have several lines: our own line breaks stay.
func visibleLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = escapeControl(line)
	}
	return lines
}

func clean(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if hidden(r) {
			return false
		}
	}
	return true
}

// hidden reports whether a character shows nothing or changes how others are shown: all Unicode control, format,
// surrogate and private-use characters, line and paragraph separators, and supplementary variation selectors.
func hidden(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f:
		return false
	case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp):
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff || r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x2800
}

// escapeHidden replaces hidden characters in JSON text with JSON escapes. They occur only in strings.
func escapeHidden(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || !hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

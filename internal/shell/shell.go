// Package shell writes words for a POSIX shell, so that a user can paste them.
package shell

import (
	"fmt"
	"strings"
	"unicode"
)

// Join quotes words and joins them to a command.
func Join(words []string) string {
	var out []string
	for _, word := range words {
		out = append(out, Quote(word))
	}
	return strings.Join(out, " ")
}

// Quote quotes a word if necessary.
func Quote(word string) string {
	if word != "" && strings.Trim(word,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_") == "" {
		return word
	}
	if strings.ContainsFunc(word, hasControlChars) {
		return spelled(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// hasControlChars reports whether a character is interpreted by a terminal when pasted: a name chosen by a server could
// end the paste and type a command.
func hasControlChars(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }

// spelled quotes a word with escapes, in the syntax of bash and zsh.
func spelled(word string) string {
	var out strings.Builder
	out.WriteString("$'")
	for n := range len(word) {
		switch c := word[n]; {
		case c == '\'' || c == '\\':
			out.WriteString(`\` + string(c))
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&out, `\x%02x`, c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String() + "'"
}

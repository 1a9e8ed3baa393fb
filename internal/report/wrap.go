package report

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Wrap lays prose out anew in lines of at most so many columns. What is laid out already stays as it is: lines that are
// indented, lists, tables, headings, addresses and fenced blocks. A word that is longer than a line has a line of its own.
func Wrap(text string, columns int) string {
	var out, words []string
	flush := func() {
		if len(words) > 0 {
			out = append(out, Fill("", "", strings.Join(words, " "), columns))
		}
		words = nil
	}
	fenced := false
	for _, line := range strings.Split(text, "\n") {
		fence := strings.HasPrefix(line, "```")
		if fenced || fence || asItIs.MatchString(line) {
			flush()
			out = append(out, line)
			fenced = fenced != fence
			continue
		}
		words = append(words, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// asItIs is a line that is no prose: empty, indented, of a list or a table, a heading, or an address.
var asItIs = regexp.MustCompile(`^($|\s|[-*+] |\d+\. |[#|>]|[A-Z][a-z]+: <)`)

// Fill lays out text in lines of at most so many columns, the first behind head, the others behind rest.
func Fill(head, rest, text string, columns int) string {
	var b strings.Builder
	b.WriteString(head)
	used, begun := utf8.RuneCountInString(head), false
	for _, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case begun && used+1+width > columns:
			b.WriteString("\n" + rest)
			used = utf8.RuneCountInString(rest)
		case begun:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used, begun = used+width, true
	}
	return b.String()
}

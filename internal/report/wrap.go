package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Wrap reflows prose in lines of at most the given number of columns. Preformatted text is not changed: indented lines,
// lists, tables, headings, URLs and fenced blocks. A word that is longer than a line gets its own line.
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
		if fenced || fence || asItIs().MatchString(line) {
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

// asItIs matches a line that is not prose: empty, indented, a list item, a table row, a heading, or a URL.
var asItIs = lazyregexp.New(`^($|\s|[-*+] |\d+\. |[#|>]|[A-Z][a-z]+: <)`)

// Fill lays out text in lines of at most the given number of columns, the first after head, the others after rest.
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

package report

import (
	"runtime"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// narrowest is the minimum number of columns for wrapping; 0 columns means unlimited.
const narrowest = 40

// Hang breaks lines that are longer than the given number of columns at spaces. Continuation lines are indented further
// than their line. Words are never broken, so that URLs and paths can be copied. Escape sequences have no width.
func Hang(text string, columns int) string {
	if columns < narrowest {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if ansi.StringWidth(line) > columns {
			lines[i] = hangLine(line, columns)
		}
	}
	return strings.Join(lines, "\n")
}

func hangLine(line string, columns int) string {
	parts := strings.SplitAfter(line, " ")
	return Layout(parts, indentOf(line, columns)+2, columns)
}

// indentOf returns the indentation of a line, at most half of the columns.
func indentOf(line string, columns int) int {
	plain := ansi.Strip(line)
	return min(len(plain)-len(strings.TrimLeft(plain, " ")), columns/2)
}

// Layout joins parts to lines of at most the given number of columns. Lines after the first have an indent. A part is
// never broken; its spaces at the end of a line are omitted.
func Layout(parts []string, indent, columns int) string {
	var b strings.Builder
	current, used, begun := "", 0, false
	for _, part := range parts {
		width := ansi.StringWidth(part)
		bare := ansi.StringWidth(strings.TrimRight(part, " "))
		if begun && columns > 0 && bare > 0 && used+bare > columns {
			b.WriteString(strings.TrimRight(current, " ") + "\n")
			current, used = strings.Repeat(" ", indent), indent
			part = strings.TrimLeft(part, " ")
			width = ansi.StringWidth(part)
		}
		current += part
		used += width
		begun = begun || bare > 0
	}
	return b.String() + strings.TrimRight(current, " ")
}

// Command lays out a shell command after head. If it does not fit, each line but the last ends with a backslash, so that
// it can still be copied; the shells of Windows do not support that, so it stays on one line there.
func Command(head, command string, columns int) string {
	if columns < narrowest || ansi.StringWidth(head+command) <= columns || runtime.GOOS == "windows" {
		return head + command
	}
	indent := indentOf(head, columns) + 4
	words := shellWords(command)
	lines := []string{head + words[0]}
	for i, word := range words[1:] {
		last := &lines[len(lines)-1]
		room := columns - len(` \`)
		if i == len(words)-2 {
			room = columns
		}
		if ansi.StringWidth(*last+" "+word) <= room {
			*last += " " + word
			continue
		}
		*last += ` \`
		lines = append(lines, strings.Repeat(" ", indent)+word)
	}
	return strings.Join(lines, "\n")
}

// shellWords splits a command at the spaces that are not quoted. The quotes remain.
func shellWords(command string) []string {
	var words []string
	start, quote := 0, byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			if i > start {
				words = append(words, command[start:i])
			}
			start = i + 1
		}
	}
	return append(words, command[start:])
}

// Package clip shortens text for messages, logs and pages. The result is always valid UTF-8.
package clip

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const mark = "…"

// Text returns at most n bytes of a text, without a partial character, and marks that something was cut off.
func Text(text string, n int) string {
	head := Head(text, n)
	if len(text) <= n {
		return head
	}
	return head + mark
}

// Sized is Text that also states the size of the whole text.
func Sized(text string, n int) string {
	if len(text) <= n {
		return Head(text, n)
	}
	return fmt.Sprintf("%s%s (%d bytes)", Head(text, n), mark, len(text))
}

// Runes returns a text of at most n characters, including the mark for a part that was cut off.
func Runes(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return valid(text)
	}
	end, count := 0, 0
	for end = range text {
		if count == n-1 {
			break
		}
		count++
	}
	return valid(text[:end]) + mark
}

// Head returns at most n bytes of a text, without a partial character and without a mark.
func Head(text string, n int) string {
	if len(text) <= n {
		return valid(text)
	}
	end := n
	for end > 0 && n-end < utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return valid(text[:end])
}

func valid(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

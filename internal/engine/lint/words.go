package lint

import (
	"strings"
	"unicode"
)

// firstSpaceless is the first character of the scripts without spaces, which is one of Thai.
const firstSpaceless = '\u0e01'

// wordsOf splits text into lower-case words. A character of a script without spaces counts as a separate word.
func wordsOf(text string) []string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words := make([]string, 0, len(fields))
	for _, field := range fields {
		start := 0
		for i, r := range field {
			if r >= firstSpaceless && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				if i > start {
					words = append(words, strings.ToLower(field[start:i]))
				}
				start = i + len(string(r))
				words = append(words, field[i:start])
			}
		}
		if start < len(field) {
			words = append(words, strings.ToLower(field[start:]))
		}
	}
	return words
}

// nameWords splits an identifier at separators and where its case changes.
func nameWords(name string) []string {
	var spread strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			spread.WriteByte(' ')
		}
		spread.WriteRune(r)
		before = r
	}
	return wordsOf(strings.ReplaceAll(spread.String(), "_", " "))
}

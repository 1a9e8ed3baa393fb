package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// eachWord calls f with the lower-case words of a text. Words end at any character that is neither a letter nor a
// digit, where the case changes (readFile, HTTPServer) and between letters and digits (page2). A Chinese or Japanese
// character is a word.
func eachWord(text string, f func(word string)) {
	start := -1 // start of the current word; -1 between words
	emit := func(end int) {
		if start >= 0 {
			f(strings.ToLower(text[start:end]))
		}
		start = -1
	}
	var before rune
	for i, r := range text {
		switch {
		case !inWord(r):
			emit(i)
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			emit(i)
			f(string(r))
		case start < 0:
			start = i
		case boundary(before, r, text[i+utf8.RuneLen(r):]):
			emit(i)
			start = i
		}
		before = r
	}
	emit(len(text))
}

// inWord reports whether a rune can be part of a word.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// boundary reports whether a word ends between two runes within letters and digits; rest is the text after them.
func boundary(before, r rune, rest string) bool {
	if unicode.IsDigit(before) != unicode.IsDigit(r) {
		return true
	}
	if !unicode.IsUpper(r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next) && !plural(rest)
}

// plural reports whether the text begins with the s of an abbreviation's plural, as in URLs.
func plural(rest string) bool {
	if !strings.HasPrefix(rest, "s") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[1:])
	return !unicode.IsLower(next)
}

// stem returns the common stem of the forms of an English word.
func stem(word string) string {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return word
		}
	}
	return english.Stem(word, false)
}

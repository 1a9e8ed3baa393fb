package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// eachWord calls f with the lower-case words of a text. Words end at any character that is neither a letter nor a
// digit, where the case changes (readFile, HTTPServer) and between letters and digits (page2), except in short
// technical terms (s3, k8s, mp4). A Chinese or Japanese character is a word.
func eachWord(text string, f func(word string)) {
	start := -1 // start of the current word; -1 between words
	emit := func(end int) {
		if start >= 0 {
			f(strings.ToLower(text[start:end]))
		}
		start = -1
	}
	term := 0 // end of the technical term that was passed on
	var before rune
	for i, r := range text {
		switch {
		case i < term: // a part of it
		case !inWord(r):
			emit(i)
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			emit(i)
			f(string(r))
		case start < 0 || boundary(before, r, text[i+utf8.RuneLen(r):]):
			inNumber := start >= 0 && unicode.IsDigit(before) != unicode.IsDigit(r)
			emit(i)
			start = i
			if n := technical(text[i:]); n > 0 && !inNumber {
				term = i + n
				emit(term)
			}
		}
		before = r
	}
	emit(len(text))
}

// Sizes of a technical term such as s3, k8s, h264.
const (
	maxTechnical        = 4
	maxTechnicalLetters = 2
)

// technical returns the length of the technical term that a text begins with: letters and digits, of which neither says
// much alone.
func technical(text string) int {
	letters, digits := 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && '0' <= text[i] && text[i] <= '9':
			digits++
		case i == len(text) || !inWord(rune(text[i])) && text[i] < utf8.RuneSelf || i > 0 && capitalized(text[i:]):
			if letters > 0 && digits > 0 {
				return i
			}
			return 0
		default:
			letters++
		}
		if letters > maxTechnicalLetters || letters+digits > maxTechnical {
			return 0
		}
	}
	return 0
}

// capitalized reports whether a text begins with a capitalized word, as what follows a term in S3Object does.
func capitalized(text string) bool {
	return len(text) > 1 && 'A' <= text[0] && text[0] <= 'Z' && 'a' <= text[1] && text[1] <= 'z'
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

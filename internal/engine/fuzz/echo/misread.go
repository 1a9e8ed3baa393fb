package echo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minMisread is the number of misread letters that do not occur by chance.
const minMisread = 2

// Misread finds texts of a response whose UTF-8 was read as Latin-1 or Windows-1252, such as "crÃ¨me brÃ»lÃ©e". It returns the
// first of them and what it was before; both are empty if there are fewer than two such letters. A text that also has a
// letter beyond ASCII that was read correctly is skipped: it may be about encodings.
func Misread(texts []string) (found, meant string) {
	letters := 0
	for _, text := range texts {
		repaired, clear := repair(text)
		if clear == 0 {
			continue
		}
		if letters += clear; found == "" {
			found, meant = text, repaired
		}
	}
	if letters < minMisread {
		return "", ""
	}
	return found, meant
}

// repair reads a text again as UTF-8, and returns how many letters are clearly misread: written, they need a letter before a
// sign that no language has there.
func repair(text string) (string, int) {
	var out strings.Builder
	clear := 0
	for rest := []rune(text); len(rest) > 0; {
		if rest[0] < utf8.RuneSelf || rest[0] == utf8.RuneError {
			out.WriteRune(rest[0])
			rest = rest[1:]
			continue
		}
		letter, size := misreadLetter(rest)
		if size == 0 {
			return "", 0 // a letter that is as it should be
		}
		out.WriteRune(letter)
		if isClear(rest[1:size]) {
			clear++
		}
		rest = rest[size:]
	}
	return out.String(), clear
}

// misreadLetter is the letter that several characters were before they were misread, and their number; 0 if they were not. A
// byte that Windows-1252 does not have may be lost.
func misreadLetter(text []rune) (rune, int) {
	first, ok := byteOf(text[0])
	if !ok || first < 0xC2 || first > 0xEF {
		return 0, 0
	}
	size := 2
	if first >= 0xE0 {
		size = 3
	}
	if len(text) < size {
		return 0, 0
	}
	encoded := []byte{first}
	for _, r := range text[1:size] {
		b, ok := byteOf(r)
		if r == utf8.RuneError {
			return r, size
		}
		if !ok || b < 0x80 || b > 0xBF {
			return 0, 0
		}
		encoded = append(encoded, b)
	}
	letter, width := utf8.DecodeRune(encoded)
	if width != size || !unicode.IsLetter(letter) && !unicode.IsPunct(letter) && !unicode.IsSymbol(letter) && !unicode.IsSpace(letter) {
		return 0, 0
	}
	return letter, size
}

// isClear reports whether one of the characters after the first is a sign that does not follow a letter: neither a letter, nor a
// space, nor a quotation mark, nor a hyphen.
func isClear(text []rune) bool {
	return slices.ContainsFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf && r != utf8.RuneError && !unicode.IsLetter(r) && !unicode.IsSpace(r) &&
			!strings.ContainsRune("«»‹›“”„‘’‚–—…\u00ad®™°²³¹", r)
	})
}

// byteOf is the byte that Latin-1 or Windows-1252 reads as a character.
func byteOf(r rune) (byte, bool) {
	if r <= 0xFF {
		return byte(r), true
	}
	i := slices.Index(windows, r)
	return byte(0x80 + i), i >= 0
}

// windows are the characters of Windows-1252 from 0x80 on; 0 where it has none.
var windows = []rune("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ")

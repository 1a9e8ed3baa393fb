package echo

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Damage describes how a result contains a text in a damaged form; empty if it does not.
func Damage(sent, said string, result []byte) string {
	letters := strings.FieldsFunc(sent, func(r rune) bool { return r < utf8.RuneSelf && !unicode.IsLetter(r) })
	for _, word := range letters {
		if utf8.RuneCountInString(word) < minGarbled || IsASCII(word) {
			continue
		}
		if strings.Contains(said, word) {
			return "" // it is there as it was sent
		}
		if strings.Contains(said, misread(word)) {
			return "read in another encoding"
		}
		if marks := questionMarks(word); strings.Trim(marks, "?") != "" && strings.Contains(said, marks) {
			return "as question marks"
		}
	}
	begin := string([]rune(sent)[:1])
	if cut := strings.Index(said, "\uFFFD"); cut >= 0 && strings.Contains(said[:cut], begin) {
		return "cut inside a character"
	}
	if halfPair(result) && strings.Contains(said, begin) {
		return "cut inside a surrogate pair"
	}
	return ""
}

// minGarbled is the length of a word that is not found by chance.
const minGarbled = 3

// misread is a text whose UTF-8 was read as Latin-1.
func misread(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteRune(rune(text[i]))
	}
	return out.String()
}

// questionMarks is a text as encoders write it that replace what is not ASCII.
func questionMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return '?'
		}
		return r
	}, text)
}

func IsASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// HasLetters reports whether JSON contains a character beyond ASCII, escaped or not.
func HasLetters(raw []byte) bool {
	return bytes.Contains(raw, []byte(`\u`)) ||
		bytes.IndexFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
}

// halfPair reports whether JSON has an escape of half of a surrogate pair alone.
func halfPair(raw []byte) bool {
	const size = len(`\ud800`)
	for i := 0; i+size <= len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		switch {
		case isHalf(raw[i:], "89ab") && !(i+2*size <= len(raw) && isHalf(raw[i+size:], "cdef")),
			isHalf(raw[i:], "cdef"):
			return true
		case isHalf(raw[i:], "89ab"):
			i += 2*size - 1
		default:
			i++
		}
	}
	return false
}

func isHalf(raw []byte, third string) bool {
	return len(raw) >= 6 && raw[0] == '\\' && raw[1] == 'u' && (raw[2]|0x20) == 'd' &&
		strings.IndexByte(third, raw[3]|0x20) >= 0
}

// Texts are the strings of a value that have characters beyond ASCII.
func Texts(raw []byte) []string { return textsIn(raw, 0) }

// textsIn are the strings of a value that have characters beyond ASCII.
func textsIn(raw []byte, depth int) []string {
	if depth > maxTextDepth {
		return nil
	}
	var all []string
	switch schema.Kind(raw) {
	case '"':
		if text := schema.Plain(raw); !IsASCII(text) {
			all = append(all, text)
		}
	case '{':
		members, _ := schema.Members(raw)
		for _, m := range members {
			all = append(all, textsIn(m.Value, depth+1)...)
		}
	case '[':
		items, _ := schema.Elements(raw)
		for _, item := range items {
			all = append(all, textsIn(item, depth+1)...)
		}
	}
	return all
}

const maxTextDepth = 5

// Signs is a text with a sign that functions such as String.replace of JavaScript interpret in a replacement.
const Signs = "zq$$zq"

// IsInterpreted reports whether a result repeats that text of the arguments as such a function writes it.
func IsInterpreted(arguments, result []byte) bool {
	return bytes.Contains(arguments, []byte(Signs)) && !bytes.Contains(result, []byte(Signs)) && bytes.Contains(result, []byte("zq$zq"))
}

// substituting matches names of tools and arguments in which $$ means $.
var substituting = lazyregexp.New(`(?i)replac|templat|interpolat|substitut|expand|regex|pattern|shell|command`)

// Substitutes reports whether a tool, by its name and its arguments, replaces parts of texts.
func Substitutes(tool string, arguments []string) bool {
	return substituting().MatchString(tool + " " + strings.Join(arguments, " "))
}

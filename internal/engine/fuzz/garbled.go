package fuzz

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var garbledProperty = &Property{finding.Rule{ID: "FUZZ-017", Severity: finding.Error,
	Doc: `text is garbled in the result

The arguments contain letters beyond ASCII, and the result repeats them damaged: cut inside a character (U+FFFD or half of
a surrogate pair), read in another encoding (Ã© for é), or as question marks. Names and texts in most languages come out
wrong. Use UTF-8 throughout, and cut texts between characters. Tools that say that they convert text, for example to ASCII,
are not checked.`}, preservesLetters}

// preservesLetters holds unless a result repeats text of the arguments in a damaged form.
func preservesLetters(s *observation) *violation {
	if s.converts || !accepted(s) || !hasLetters(s.Case.Arguments) {
		return nil
	}
	result := s.Exchange.Reply.Result
	if bytes.Contains(s.Case.Arguments, []byte("\uFFFD")) {
		return nil
	}
	said := errorText(s.Exchange.Reply)
	for _, sent := range textsIn(s.Case.Arguments, 0) {
		if how := damage(sent, said, result); how != "" {
			return &violation{cause: how, message: "the result repeats a text of the arguments garbled (" + how +
				"): " + clip.Sized(said, maxDisplayed)}
		}
	}
	return nil
}

// damage describes how a result contains a text in a damaged form; empty if it does not.
func damage(sent, said string, result []byte) string {
	letters := strings.FieldsFunc(sent, func(r rune) bool { return r < utf8.RuneSelf && !unicode.IsLetter(r) })
	for _, word := range letters {
		if utf8.RuneCountInString(word) < minGarbled || isASCII(word) {
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

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// hasLetters reports whether JSON contains a character beyond ASCII, escaped or not.
func hasLetters(raw []byte) bool {
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

// textsIn are the strings of a value that have characters beyond ASCII.
func textsIn(raw []byte, depth int) []string {
	if depth > maxTextDepth {
		return nil
	}
	var all []string
	switch schema.Kind(raw) {
	case '"':
		if text := schema.Plain(raw); !isASCII(text) {
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

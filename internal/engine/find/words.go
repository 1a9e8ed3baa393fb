package find

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// toASCII replaces the letters of other scripts where the replacement is one of the accent only. Letters without one
// stay: a word of them matches itself.
func toASCII(text string) string {
	ascii := true
	for i := range len(text) {
		if text[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == '‘' || r == '’':
			b.WriteByte('\'')
		case r == '“' || r == '”':
			b.WriteByte('"')
		case r == '–' || r == '—':
			b.WriteByte('-')
		case isSeparateWord(r):
			b.WriteString(" " + string(r) + " ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isSeparateWord reports whether Codex replaces a character by a word: a syllable for an ideograph, the name of an
// emoji. The word itself is not reproduced.
func isSeparateWord(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || isEmoji(r)
}

func isEmoji(r rune) bool { return r >= 0x1F300 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF }

// unicodeWords returns the words of a text by the rules of Unicode (UAX 29): letters, digits and underscores, and
// single characters between two letters or two digits that join them, as in 3.14 and don't.
func unicodeWords(text string) []string {
	runes := []rune(text)
	var words []string
	for i := 0; i < len(runes); {
		if !isWordRune(runes[i]) {
			i++
			continue
		}
		start, alphanumeric := i, false
		for i < len(runes) {
			if isWordRune(runes[i]) {
				alphanumeric = alphanumeric || runes[i] != '_'
				i++
				continue
			}
			if i+1 < len(runes) && joins(runes[i-1], runes[i], runes[i+1]) {
				i++
				continue
			}
			break
		}
		if alphanumeric {
			words = append(words, string(runes[start:i]))
		}
	}
	return words
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || isEmoji(r)
}

// joins reports whether a character between two others does not end a word.
func joins(before, r, after rune) bool {
	switch {
	case unicode.IsLetter(before) && unicode.IsLetter(after):
		return r == '\'' || r == '.' || r == ':'
	case unicode.IsDigit(before) && unicode.IsDigit(after):
		return r == '\'' || r == '.' || r == ',' || r == ';'
	}
	return false
}

// stopWords are the English words that Codex ignores: the list of NLTK.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(`
i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves he him his himself
she she's her hers herself it it's its itself they them their theirs themselves what which who whom this that that'll
these those am is are was were be been being have has had having do does did doing a an the and but if or because as
until while of at by for with about against between into through during before after above below to from up down in
out on off over under again further then once here there when where why how all any both each few more most other some
such no nor not only own same so than too very s t can will just don don't should should've now d ll m o re ve y ain
aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't haven haven't isn isn't ma mightn
mightn't mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won won't wouldn wouldn't
`) {
		set[word] = true
	}
	return set
}()

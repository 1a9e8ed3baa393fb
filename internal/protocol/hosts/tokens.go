package hosts

import "unicode/utf8"

// TokenError states how far Tokens is off, wherever an estimate is shown. Measured on 1,376 definitions of real servers
// against o200k_base, the vocabulary of GPT-4o and later: 10 % too many in total; for 9 of 10 definitions between 1 % too
// few and 27 % too many. Against cl100k_base the total is 11 % too high, and against the tokenizer of Claude 2 5 %.
const TokenError = "estimated, usually 0 to 27 % too high"

// Tokens estimates how many tokens of a model's context a JSON value takes. No tokenizer is correct for every model, so
// this is an approximation and is labeled as such wherever it is shown: white space between JSON tokens is not counted;
// four other ASCII characters, or one non-ASCII character, count as one token.
func Tokens(raw []byte) int {
	ascii, other, inString := 0, 0, false
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		switch {
		case inString && r == '\\':
			ascii++
			size++
		case r == '"':
			inString = !inString
			ascii++
		case !inString && (r == ' ' || r == '\n' || r == '\t' || r == '\r'):
		case r < utf8.RuneSelf:
			ascii++
		default:
			other++
		}
		i += size
	}
	return (ascii+3)/4 + other
}

// TextTokens estimates how many tokens a text takes, by the same count.
func TextTokens(text string) int {
	other := 0
	for _, r := range text {
		if r >= utf8.RuneSelf {
			other++
		}
	}
	return (utf8.RuneCountInString(text)-other+3)/4 + other
}

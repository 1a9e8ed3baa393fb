package lint

import "unicode/utf8"

// Tokens estimates how many tokens of a model's context a definition takes. No tokenizer is correct for every model, so
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

package meta

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Cursor marks a place in an answer that comes in pages: where the page ended, and in whose answer to what. It needs no
// memory, so that every replica understands it; what it is for keeps one caller's place from being another's.
func Cursor(place string, of ...string) string {
	return base64.RawURLEncoding.EncodeToString(append(cursorSum(place, of), place...))
}

// ReadCursor returns the place that a cursor stands for; ok is false if it was made for something else, or by nobody.
func ReadCursor(text string, of ...string) (place string, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < cursorSumSize {
		return "", false
	}
	place = string(raw[cursorSumSize:])
	return place, string(cursorSum(place, of)) == string(raw[:cursorSumSize])
}

const cursorSumSize = 12

func cursorSum(place string, of []string) []byte {
	sum := sha256.Sum256([]byte(strings.Join(append(append([]string{"mcptest cursor"}, of...), place), "\x00")))
	return sum[:cursorSumSize]
}

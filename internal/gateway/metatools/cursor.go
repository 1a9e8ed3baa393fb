package metatools

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Cursor encodes a position in a paginated response: the end of the page, the caller and the request. It needs no
// state, so that every replica can decode it; the checksum prevents use by another caller or for another request.
func Cursor(place string, of ...string) string {
	return base64.RawURLEncoding.EncodeToString(append(cursorSum(place, of), place...))
}

// ReadCursor returns the position in a cursor; ok is false if it was created for something else, or is invalid.
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

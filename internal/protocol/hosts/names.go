package hosts

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"strings"
	"unicode/utf16"
)

// replaceOther replaces every UTF-16 unit outside A-Z, a-z, 0-9 and allowed: most hosts are JavaScript programs.
func replaceOther(name, allowed, by string) string {
	var b strings.Builder
	for _, r := range name {
		if isASCIIAlphanumeric(r) || strings.ContainsRune(allowed, r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Repeat(by, max(1, utf16.RuneLen(r))))
	}
	return b.String()
}

func isASCIIAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// shortHash returns the first digits of the SHA-1 hash in hexadecimal.
func shortHash(text string, digits int) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}

// cutUTF16 returns at most length UTF-16 units of a text.
func cutUTF16(text string, length int) (cut string, wasCut bool) {
	units := 0
	for i, r := range text {
		if units += max(1, utf16.RuneLen(r)); units > length {
			return text[:i], true
		}
	}
	return text, false
}

// compareUTF16 orders texts as JavaScript does.
func compareUTF16(a, b string) int {
	x, y := []rune(a), []rune(b)
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}
		astralX, astralY := x[i] > 0xFFFF, y[i] > 0xFFFF
		switch {
		case astralX == astralY:
			return cmp.Compare(x[i], y[i])
		case astralX:
			return cmp.Compare(0xD800, y[i])
		}
		return cmp.Compare(x[i], 0xD800)
	}
	return cmp.Compare(len(x), len(y))
}

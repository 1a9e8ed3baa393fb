package config

import (
	"bytes"
	"unicode/utf8"
)

// strict turns JSON with comments and trailing commas into plain JSON of the same length, so that
// offsets into one are offsets into the other.
func strict(source []byte) []byte {
	out := bytes.Clone(source)
	comma := -1 // a comma followed only by blanks and comments so far
	for i := 0; i < len(out); {
		switch n := skip(out[i:]); {
		case n > 0:
			if out[i] == '/' {
				blank(out[i : i+n])
			}
			i += n
			continue
		case out[i] == '"':
			comma = -1
			i += stringLength(out[i:])
			continue
		case out[i] == ',':
			comma = i
		case (out[i] == '}' || out[i] == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		default:
			comma = -1
		}
		i++
	}
	return out
}

// skip is the length of the blank or comment that text starts with, or 0.
func skip(text []byte) int {
	switch {
	case bytes.IndexByte([]byte(" \t\r\n"), text[0]) >= 0:
		return 1
	case bytes.HasPrefix(text, []byte("//")):
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			return end
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		if end := bytes.Index(text[2:], []byte("*/")); end >= 0 {
			return end + 4
		}
		return len(text)
	}
	return 0
}

func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// position returns the line and column of an offset, both from 1, the column in characters.
func position(source []byte, offset int) (line, column int) {
	before := source[:min(offset, len(source))]
	line = bytes.Count(before, []byte("\n")) + 1
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return line, utf8.RuneCount(before[lineStart:]) + 1
}

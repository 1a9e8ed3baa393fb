package schema

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// A span is a half-open range of byte offsets in a document.
type span struct{ start, end int }

// of returns the bytes of the span, capped so that an append cannot write into the document.
func (s span) of(doc []byte) json.RawMessage { return doc[s.start:s.end:s.end] }

// A memberSpan locates one name and its value.
type memberSpan struct{ key, value span }

// A SyntaxError reports that a document is not JSON, and where.
type SyntaxError struct {
	Offset int
	Want   string
}

// Error returns the offset and what was expected there.
func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: expected %s", e.Offset, e.Want) }

// valid reports whether doc is one JSON value. Duplicate names and invalid UTF-8 pass: rules check them.
func valid(doc []byte) bool {
	return jsontext.Value(doc).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func skipSpace(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\n' || doc[i] == '\t' || doc[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the offset after the string that starts at i, or -1 if there is none.
func skipString(doc []byte, i int) int {
	if i >= len(doc) || doc[i] != '"' {
		return -1
	}
	for {
		length := bytes.IndexByte(doc[i+1:], '"')
		if length < 0 {
			return -1
		}
		i += 1 + length
		escapes := 0
		for doc[i-1-escapes] == '\\' { // ends at the opening quote, or at an escaped one
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

// skipValue returns the offset after the value that starts at i, or -1 if there is none. It matches only
// brackets and strings, and so is several times as fast as a parser; the content is checked when it is read.
func skipValue(doc []byte, i int) int {
	if i >= len(doc) {
		return -1
	}
	switch doc[i] {
	case '"':
		return skipString(doc, i)
	case '{', '[':
		return skipNested(doc, i)
	}
	return skipScalar(doc, i)
}

func skipNested(doc []byte, i int) int {
	for depth := 0; i < len(doc); {
		switch doc[i] {
		case '"':
			if i = skipString(doc, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

func skipScalar(doc []byte, i int) int {
	start := i
	for i < len(doc) {
		switch doc[i] {
		case ' ', '\n', '\t', '\r', ',', ':', ']', '}', '{', '[', '"':
			if i == start {
				return -1
			}
			return i
		}
		i++
	}
	return i
}

// objectSpans locates the members of the object that starts at offset i, and the offset of its closing brace.
func objectSpans(doc []byte, i int, into []memberSpan) (members []memberSpan, brace int, err error) {
	if i = skipSpace(doc, i); i >= len(doc) || doc[i] != '{' {
		return into, 0, &SyntaxError{i, "an object"}
	}
	if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == '}' {
		return into, i, nil
	}
	for {
		var m memberSpan
		if m, i, err = nextMember(doc, i); err != nil {
			return into, 0, err
		}
		into = append(into, m)
		if i < len(doc) && doc[i] == '}' {
			return into, i, nil
		}
		if i >= len(doc) || doc[i] != ',' {
			return into, 0, &SyntaxError{i, `"," or "}"`}
		}
		i = skipSpace(doc, i+1)
	}
}

// nextMember reads one name and value at i and returns the offset after them.
func nextMember(doc []byte, i int) (memberSpan, int, error) {
	keyEnd := skipString(doc, i)
	if keyEnd < 0 {
		return memberSpan{}, 0, &SyntaxError{i, "a name"}
	}
	colon := skipSpace(doc, keyEnd)
	if colon >= len(doc) || doc[colon] != ':' {
		return memberSpan{}, 0, &SyntaxError{colon, `":"`}
	}
	start := skipSpace(doc, colon+1)
	end := skipValue(doc, start)
	if end < 0 {
		return memberSpan{}, 0, &SyntaxError{start, "a value"}
	}
	return memberSpan{span{i, keyEnd}, span{start, end}}, skipSpace(doc, end), nil
}

// arraySpans locates the elements of the array that starts at offset i, and the offset of its closing bracket.
func arraySpans(doc []byte, i int, into []span) (elements []span, bracket int, err error) {
	if i = skipSpace(doc, i); i >= len(doc) || doc[i] != '[' {
		return nil, 0, &SyntaxError{i, "an array"}
	}
	if i = skipSpace(doc, i+1); i < len(doc) && doc[i] == ']' {
		return into, i, nil
	}
	for {
		end := skipValue(doc, i)
		if end < 0 {
			return nil, 0, &SyntaxError{i, "a value"}
		}
		into = append(into, span{i, end})
		i = skipSpace(doc, end)
		if i < len(doc) && doc[i] == ']' {
			return into, i, nil
		}
		if i >= len(doc) || doc[i] != ',' {
			return nil, 0, &SyntaxError{i, `"," or "]"`}
		}
		i = skipSpace(doc, i+1)
	}
}

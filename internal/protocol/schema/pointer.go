package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Get returns the value at a JSON Pointer, exactly as written in doc. Of duplicate names the last is used, as
// in nearly every parser.
func Get(doc json.RawMessage, pointer string) (json.RawMessage, bool) {
	at, ok := locate(doc, pointer)
	if !ok {
		return nil, false
	}
	return at.of(doc), true
}

// Offset returns where the value at a JSON Pointer begins in doc.
func Offset(doc json.RawMessage, pointer string) (int, bool) {
	at, ok := locate(doc, pointer)
	return at.start, ok
}

// Token escapes a name for use in a JSON Pointer.
func Token(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// TokenName returns the name that a token of a JSON Pointer stands for.
func TokenName(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Tokens splits a JSON Pointer into unescaped names. It returns false for an invalid JSON Pointer.
func Tokens(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		if strings.Count(token, "~") != strings.Count(token, "~0")+strings.Count(token, "~1") {
			return nil, false
		}
		tokens[i] = TokenName(token)
	}
	return tokens, true
}

func locate(doc []byte, pointer string) (span, bool) {
	tokens, ok := Tokens(pointer)
	if !ok {
		return span{}, false
	}
	return locateTokens(doc, tokens)
}

func locateTokens(doc []byte, tokens []string) (span, bool) {
	at := span{start: skipSpace(doc, 0)}
	if len(tokens) == 0 {
		at.end = skipValue(doc, at.start)
		return at, at.end >= 0
	}
	for _, token := range tokens {
		var ok bool
		if at, ok = child(doc, at, token); !ok {
			return span{}, false
		}
	}
	return at, true
}

func child(doc []byte, at span, token string) (span, bool) {
	if at.start >= len(doc) {
		return span{}, false
	}
	switch doc[at.start] {
	case '{':
		return lastMember(doc, at, token)
	case '[':
		var buffer [16]span
		elements, _, err := arraySpans(doc, at.start, buffer[:0])
		i, ok := index(token)
		if err != nil || !ok || i >= len(elements) {
			return span{}, false
		}
		return elements[i], true
	}
	return span{}, false
}

func lastMember(doc []byte, at span, name string) (span, bool) {
	var buffer [16]memberSpan
	members, _, err := objectSpans(doc, at.start, buffer[:0])
	if err != nil {
		return span{}, false
	}
	for i := len(members) - 1; i >= 0; i-- {
		if named(doc, members[i], name) {
			return members[i].value, true
		}
	}
	return span{}, false
}

// named compares without allocating in the usual case of a name without escapes.
func named(doc []byte, m memberSpan, name string) bool {
	plain := doc[m.key.start+1 : m.key.end-1]
	return string(plain) == name || bytes.IndexByte(plain, '\\') >= 0 && text(doc[m.key.start:m.key.end]) == name
}

// index parses an array index in the only notation that RFC 6901 allows.
func index(token string) (int, bool) {
	if token == "" || len(token) > 9 || token[0] == '0' && token != "0" || token[0] == '+' || token[0] == '-' {
		return 0, false
	}
	i, err := strconv.Atoi(token)
	return i, err == nil
}

// TextAt returns the string at a JSON Pointer; empty if there is none.
func TextAt(doc json.RawMessage, pointer string) string {
	value, _ := Get(doc, pointer)
	text, _ := Text(value)
	return text
}

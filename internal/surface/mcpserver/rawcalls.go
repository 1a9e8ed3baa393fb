package mcpserver

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxRawCalls is how many tools one raw message may call: as many as call_tool calls, so that one question of a host to
// its user never becomes a thousand calls.
const maxRawCalls = 1

// rawCalls counts the calls of tools that a server could read in a message: a batch, several lines, or one object after
// another. What is not JSON is counted by its text, since a lenient server may still read it.
func rawCalls(message []byte) int {
	n := 0
	for _, line := range bytes.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if !json.Valid(line) {
			return strings.Count(unescaped(string(message)), callMethod)
		}
		n += callsIn(line)
	}
	return n
}

const callMethod = "tools/call"

// callsIn counts the calls in a JSON value: one for an object, all of an array.
func callsIn(value json.RawMessage) int {
	switch schema.Kind(value) {
	case '[':
		var members []json.RawMessage
		_ = json.Unmarshal(value, &members) // it is valid
		n := 0
		for _, member := range members {
			n += callsIn(member)
		}
		return n
	case '{':
		if strings.Contains(unescaped(string(value)), callMethod) {
			return 1
		}
	}
	return 0
}

// escape is an escape of a JSON string that can hide a letter or a slash.
var escape = lazyregexp.New(`\\u00[0-9a-fA-F]{2}|\\/`)

// unescaped is a text without the escapes of ASCII characters.
func unescaped(text string) string {
	return escape().ReplaceAllStringFunc(text, func(e string) string {
		if e == `\/` {
			return "/"
		}
		code, _ := strconv.ParseUint(e[2:], 16, 8) // the expression has matched
		return string(rune(code))
	})
}

// Package serve is the server side of the protocol in both of its eras: it reads messages strictly, decides by which
// era's rules each is answered, and puts a stream of lines or an HTTP endpoint before a server of the SDK.
//
// The SDK ends a session at its first malformed line and serves one era over HTTP at a time. Here a malformed message is
// answered, the eras are told apart, and the SDK gets to see only what it can answer.
package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Error codes that the servers use.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeResourceNotFound   = -32002 // up to 2025-11-25; later it is an invalid parameter
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// A Kind says what a message is for.
type Kind int

// The kinds of messages.
const (
	Request Kind = iota
	Notification
	Response
)

// A Message is one JSON-RPC message, its parts the bytes that came.
type Message struct {
	Kind   Kind
	ID     json.RawMessage // nil when absent
	Method string
	Params json.RawMessage // nil when absent
}

// An Error is the error member of a reply.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// InvalidParams is the error for parameters of the wrong shape.
func InvalidParams(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// InvalidRequest is the error for a message that cannot be served as a request.
func InvalidRequest(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// MethodNotFound is the error for a method that a server does not have.
func MethodNotFound(method string) *Error {
	return &Error{Code: CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
}

// Parse reads one message strictly. When it is not one, the message that is returned still has the id if it could be
// read, so that the reply reaches the right caller.
func Parse(line []byte) (Message, *Error) {
	if bad := Syntax(line); bad != nil {
		return Message{}, bad
	}
	parts := Members(line)
	if parts == nil {
		return Message{}, InvalidRequest("a message is a JSON object")
	}
	m := Message{Params: parts["params"]}
	if id, ok := parts["id"]; ok {
		if !validID(id) {
			return m, InvalidRequest("id is a string or an integer")
		}
		m.ID = id
	}
	if string(parts["jsonrpc"]) != `"2.0"` {
		return m, InvalidRequest(`jsonrpc is "2.0"`)
	}
	return m, m.classify(parts)
}

// classify tells requests, notifications and responses apart.
func (m *Message) classify(parts map[string]json.RawMessage) *Error {
	method, called := parts["method"]
	_, result := parts["result"]
	_, failed := parts["error"]
	switch {
	case called && (result || failed):
		return InvalidRequest("a message has either a method or a result")
	case !called && (result == failed || m.ID == nil):
		return InvalidRequest("a message has a method, or an id and a result or an error")
	case !called:
		m.Kind = Response
		return nil
	}
	if json.Unmarshal(method, &m.Method) != nil || string(method) == "null" {
		return InvalidRequest("method is a string")
	}
	if m.ID == nil {
		m.Kind = Notification
	}
	if m.Params != nil && !isObjectText(m.Params) {
		return InvalidParams("params is an object")
	}
	return nil
}

// Syntax refuses what is not one JSON text in UTF-8.
func Syntax(line []byte) *Error {
	if !utf8.Valid(line) {
		return &Error{Code: CodeParse, Message: "parse error: not UTF-8"}
	}
	if !json.Valid(line) {
		return &Error{Code: CodeParse, Message: "parse error: not one JSON value"}
	}
	return nil
}

// unique refuses names that stand twice in an object, because one reader takes the first and another the last.
func unique(text []byte) *Error {
	if !jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true)) {
		return InvalidRequest("a name stands twice in an object")
	}
	return nil
}

// Members splits a JSON object into its members, names matched exactly and values left as they are. It returns nil
// for anything else.
func Members(object json.RawMessage) map[string]json.RawMessage {
	if object = bytes.TrimLeft(object, " \t\r\n"); len(object) == 0 || object[0] != '{' {
		return nil
	}
	var parts map[string]json.RawMessage
	if json.Unmarshal(object, &parts) != nil {
		return nil
	}
	return parts
}

// validID tells whether an id is a string or an integer written as one.
func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	return len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
}

// IsBatch tells whether a line is a JSON array.
func IsBatch(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '['
}

// Failure is the reply that carries an error; a nil id becomes null.
func Failure(id json.RawMessage, e *Error) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Error          `json:"error"`
	}{"2.0", id, e})
}

// Quote is the JSON string of s. Nearly all that is quoted is plain, and is spared the encoder.
func Quote(s string) []byte { return AppendQuoted(make([]byte, 0, len(s)+2), s) }

// AppendQuoted adds the JSON string of s to b.
func AppendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return append(b, Encode(s)...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// Encode marshals what is known to marshal, without the escapes that JSON does not ask for.
func Encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // all values are ours or checked raw JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

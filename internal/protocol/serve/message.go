// Package serve implements the server side of the protocol in all revisions: it parses messages strictly,
// selects the rules for each, and serves an SDK server over a stream of lines or an HTTP endpoint.
//
// The SDK ends a session at its first malformed line and serves one era over HTTP at a time. Here a malformed
// message gets an error response, the eras are separated, and the SDK gets only messages that it can handle.
package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Error codes that the servers use.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeResourceNotFound   = -32002 // up to 2025-11-25; from 2026-07-28 on it is invalid params
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// A Kind is the kind of a message.
type Kind int

// The kinds of messages.
const (
	Request Kind = iota
	Notification
	Response
)

// A Message is one JSON-RPC message; its parts are unchanged bytes.
type Message struct {
	Kind   Kind
	ID     json.RawMessage // nil when absent
	Method string
	Params json.RawMessage // nil when absent
}

// An Error is the error of a response.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// InvalidParams is the error for parameters of the wrong shape.
func InvalidParams(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// InvalidRequest is the error for a message that is not a valid request.
func InvalidRequest(format string, args ...any) *Error {
	return &Error{Code: CodeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

// MethodNotFound is the error for a method that a server does not support.
func MethodNotFound(method string) *Error {
	return &Error{Code: CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
}

// Parse parses one message strictly. If it is invalid, the returned message still has the ID if it could be
// parsed, so that the response reaches the right caller.
func Parse(line []byte) (Message, *Error) {
	if bad := Syntax(line); bad != nil {
		return Message{}, bad
	}
	parts := Members(line)
	if parts == nil {
		return Message{}, InvalidRequest("a message must be a JSON object")
	}
	m := Message{Params: parts["params"]}
	if id, ok := parts["id"]; ok {
		if !validID(id) {
			return m, InvalidRequest("id must be a string or an integer")
		}
		m.ID = id
	}
	if string(parts["jsonrpc"]) != `"2.0"` {
		return m, InvalidRequest(`jsonrpc must be "2.0"`)
	}
	return m, m.classify(parts)
}

// classify sets whether a message is a request, a notification or a response.
func (m *Message) classify(parts map[string]json.RawMessage) *Error {
	method, called := parts["method"]
	_, result := parts["result"]
	_, failed := parts["error"]
	switch {
	case called && (result || failed):
		return InvalidRequest("a message must not have both a method and a result")
	case !called && (result == failed || m.ID == nil):
		return InvalidRequest("a message must have a method, or an id with a result or an error")
	case !called:
		m.Kind = Response
		return nil
	}
	if m.Method, called = schema.Text(method); !called {
		return InvalidRequest("method must be a string")
	}
	if m.ID == nil {
		m.Kind = Notification
	}
	if m.Params != nil && !isObjectText(m.Params) {
		return InvalidParams("params must be an object")
	}
	return nil
}

// Syntax rejects what is not a single JSON value in UTF-8.
func Syntax(line []byte) *Error {
	if !utf8.Valid(line) {
		return &Error{Code: CodeParse, Message: "parse error: not UTF-8"}
	}
	if !json.Valid(line) {
		return &Error{Code: CodeParse, Message: "parse error: not a single JSON value"}
	}
	return nil
}

// unique rejects duplicate names in an object, because some parsers use the first and others the last.
func unique(text []byte) *Error {
	if !jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true)) {
		return InvalidRequest("duplicate name in an object")
	}
	return nil
}

// Members splits a JSON object into its fields, with case-sensitive names and unchanged values. It returns nil
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

// validID reports whether an ID is a string or an integer without fraction or exponent.
func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	digits := bytes.TrimPrefix(id, []byte("-"))
	return len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
}

// IsBatch reports whether a line is a JSON array.
func IsBatch(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '['
}

// Failure returns an error response; a nil ID becomes null.
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

// Encode marshals values that always marshal, with minimal escapes.
func Encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // all values are ours or checked raw JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

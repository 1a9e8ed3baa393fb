package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Error codes that the servers use.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeResourceNotFound   = -32002 // up to 2025-11-25; later it is an invalid parameter
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// A kind says what a message is for.
type kind int

const (
	request kind = iota
	notification
	response
)

// A message is one JSON-RPC message, its parts the bytes that came.
type message struct {
	kind   kind
	id     json.RawMessage // nil when absent
	method string
	params json.RawMessage // nil when absent
}

// An rpcError is the error member of a reply.
type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func invalidParams(format string, args ...any) *rpcError {
	return &rpcError{Code: codeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func invalidRequest(format string, args ...any) *rpcError {
	return &rpcError{Code: codeInvalidRequest, Message: fmt.Sprintf(format, args...)}
}

func methodNotFound(method string) *rpcError {
	return &rpcError{Code: codeMethodNotFound, Message: fmt.Sprintf("method not found: %q", method)}
}

// parse reads one message strictly. When it is not one, the message that is returned still has the id if it could be
// read, so that the reply reaches the right caller.
func parse(line []byte) (message, *rpcError) {
	if bad := syntax(line); bad != nil {
		return message{}, bad
	}
	parts := members(line)
	if parts == nil {
		return message{}, invalidRequest("a message is a JSON object")
	}
	m := message{params: parts["params"]}
	if id, ok := parts["id"]; ok {
		if !validID(id) {
			return m, invalidRequest("id is a string or an integer")
		}
		m.id = id
	}
	if string(parts["jsonrpc"]) != `"2.0"` {
		return m, invalidRequest(`jsonrpc is "2.0"`)
	}
	return m, m.classify(parts)
}

// classify tells requests, notifications and responses apart.
func (m *message) classify(parts map[string]json.RawMessage) *rpcError {
	method, called := parts["method"]
	_, result := parts["result"]
	_, failed := parts["error"]
	switch {
	case called && (result || failed):
		return invalidRequest("a message has either a method or a result")
	case !called && (result == failed || m.id == nil):
		return invalidRequest("a message has a method, or an id and a result or an error")
	case !called:
		m.kind = response
		return nil
	}
	if json.Unmarshal(method, &m.method) != nil || string(method) == "null" {
		return invalidRequest("method is a string")
	}
	if m.id == nil {
		m.kind = notification
	}
	if m.params != nil && members(m.params) == nil {
		return invalidParams("params is an object")
	}
	return nil
}

// syntax refuses what is not one JSON text in UTF-8.
func syntax(line []byte) *rpcError {
	if !utf8.Valid(line) {
		return &rpcError{Code: codeParse, Message: "parse error: not UTF-8"}
	}
	if !json.Valid(line) {
		return &rpcError{Code: codeParse, Message: "parse error: not one JSON value"}
	}
	return nil
}

// unique refuses names that stand twice in an object, because one reader takes the first and another the last.
func unique(text []byte) *rpcError {
	if !jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true)) {
		return invalidRequest("a name stands twice in an object")
	}
	return nil
}

// members splits a JSON object into its members, names matched exactly and values left as they are. It returns nil
// for anything else.
func members(object json.RawMessage) map[string]json.RawMessage {
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

// isBatch tells whether a line is a JSON array.
func isBatch(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '['
}

// failure is the reply that carries an error; a nil id becomes null.
func failure(id json.RawMessage, e *rpcError) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *rpcError       `json:"error"`
	}{"2.0", id, e})
}

// encode marshals what is known to marshal, without the escapes that JSON does not ask for.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // all values are ours or checked raw JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

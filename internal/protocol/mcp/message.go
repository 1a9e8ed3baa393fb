// Package mcp implements a client of the Model Context Protocol, for all revisions.
//
// It accepts anything and rejects nothing: messages of a server are kept unchanged, and protocol violations are
// recorded on the message in which they were detected.
package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Message is a parsed frame.
type Message struct {
	Frame  wire.Frame
	ID     json.RawMessage // unchanged; nil if absent
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *RPCError
	Odd    []string  // JSON-RPC violations detected while parsing
	Rest   []Message // further messages of the same frame: a batch, or more than one on a line
}

// An RPCError is the error of a JSON-RPC response. As a Go error it is what a handler rejects a request with.
type RPCError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the code and the message.
func (e *RPCError) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// The error codes of the protocol.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
)

// IsRequest reports whether the message is a request.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification reports whether the message is a notification.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsResponse reports whether the message is a response, well-formed or not.
func (m *Message) IsResponse() bool {
	return m.Method == "" && (m.Result != nil || m.Error != nil)
}

func (m *Message) odd(format string, args ...any) {
	m.Odd = append(m.Odd, fmt.Sprintf(format, args...))
}

// Package mcp is a client of the Model Context Protocol, in every revision and in both of its eras.
//
// It reads anything and judges nothing: what a server says is kept as it came, and departures from the protocol are
// noted on the message in which they were seen.
package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Message is what a frame says.
type Message struct {
	Frame  wire.Frame
	ID     json.RawMessage // as it came; nil if absent
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *RPCError
	Odd    []string  // departures from JSON-RPC noticed while reading
	Rest   []Message // further messages of the same frame: a batch, or more than one on a line
}

// An RPCError is the error of a JSON-RPC answer. As a Go error it is what a handler refuses a request with.
type RPCError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error tells the code and the message.
func (e *RPCError) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// The error codes that the protocol gives a meaning.
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

// IsRequest reports whether the message asks for an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsNotification reports whether the message wants no answer.
func (m *Message) IsNotification() bool { return m.Method != "" && m.ID == nil }

// IsResponse reports whether the message is an answer, well-formed or not.
func (m *Message) IsResponse() bool {
	return m.Method == "" && (m.Result != nil || m.Error != nil)
}

func (m *Message) odd(format string, args ...any) {
	m.Odd = append(m.Odd, fmt.Sprintf(format, args...))
}

package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The codes of errors. Those below -32600 are from JSON-RPC.
const (
	codeParse     = -32700
	codeInvalid   = -32600
	codeMethod    = -32601
	codeParams    = -32602
	codeInternal  = -32603
	codeServer    = -32000 // the server under test could not be started or reached
	codeProtocol  = -32001 // no hello, or a version that is not supported
	codeCancelled = -32002
)

// An Error is the error of a request: the request was wrong, or could not be carried out. A failed test is not an error.
type Error struct {
	Code    int        `json:"code" doc:"-32000: the server could not be started or reached; -32001: no hello, or a version that is not supported; -32002: cancelled; others as in JSON-RPC"`
	Message string     `json:"message" doc:"what happened"`
	Data    *ErrorData `json:"data,omitempty" doc:"more about it"`
}

// ErrorData is more about an error.
type ErrorData struct {
	Hint string `json:"hint,omitempty" doc:"what to do"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func invalid(format string, args ...any) *Error {
	return &Error{Code: codeParams, Message: fmt.Sprintf(format, args...)}
}

// failureOf returns the error of a request, without secrets.
func (d *driver) failureOf(err error) *Error {
	var own *Error
	var usage *workbench.UsageError
	var wrong *target.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &usage):
		return d.hinted(codeParams, usage.Message, usage.Hint.String())
	case errors.As(err, &wrong):
		return d.hinted(codeParams, wrong.Message, wrong.Hint.String())
	case errors.Is(err, context.Canceled):
		return &Error{Code: codeCancelled, Message: "the request was cancelled"}
	}
	return d.hinted(codeServer, suite.Explain(err), "")
}

func (d *driver) hinted(code int, message, hint string) *Error {
	e := &Error{Code: code, Message: d.scrub(message)}
	if hint != "" {
		e.Data = &ErrorData{Hint: d.scrub(hint)}
	}
	return e
}

// scrub removes the secrets that the driver was given from texts for the user.
func (d *driver) scrub(text string) string { return d.bench.Secrets.Exact(text) }

// idText returns an ID as the key of a map.
func idText(id json.RawMessage) string { return string(id) }

package invoke

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A ValidationError means that the arguments are invalid; the tool was not run.
type ValidationError struct {
	Tool       string
	Errors     []schema.Violation // all of them
	Validators []Verdict          // the results of the tool's own validators
}

// Error lists the problems.
func (e *ValidationError) Error() string {
	return fmt.Sprintf("invalid arguments for %s: %s", e.Tool, describe(e.Errors, e.Validators))
}

// Missing lists the required parameters that are missing.
func (e *ValidationError) Missing() []string {
	var names []string
	for _, v := range e.Errors {
		if v.Rule == "required" {
			names = append(names, strings.Split(v.Expected, ", ")...)
		}
	}
	return names
}

// A TypeError means that arguments have the wrong type, with no other problem; the tool was not run.
type TypeError struct {
	Tool       string
	Parameter  string // the first wrong parameter
	Expected   string
	Actual     string
	Errors     []schema.Violation // all of them
	Validators []Verdict
}

// Error includes the parameter, the expected type and the actual type.
func (e *TypeError) Error() string {
	return fmt.Sprintf("wrong argument type for %s: %s", e.Tool, describe(e.Errors, e.Validators))
}

// A TimeoutError means that a tool exceeded its time limit. There is no partial result.
type TimeoutError struct {
	Tool    string
	Limit   time.Duration
	Elapsed time.Duration
}

// Error includes the tool, the limit and the elapsed time.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s timed out: limit %v, elapsed %v", e.Tool, e.Limit, e.Elapsed.Round(time.Millisecond))
}

// A CancellationError means that the caller cancelled the call.
type CancellationError struct {
	Tool    string
	Elapsed time.Duration
	Cause   error
}

// Error includes the tool.
func (e *CancellationError) Error() string {
	return fmt.Sprintf("call of %s was cancelled", e.Tool)
}

// Unwrap returns the cause.
func (e *CancellationError) Unwrap() error { return e.Cause }

// A ToolExecutionError means that a tool failed without a result.
type ToolExecutionError struct {
	Tool    string
	Message string          // the original
	Context string          // the invocation: caller, trace, the shape of the arguments; no values
	Result  json.RawMessage // with isError; nil if there is none
	Stack   []byte          // of the Go function that panicked; for the log, never for a client
	Err     error
}

// Error includes the tool and the original message.
func (e *ToolExecutionError) Error() string { return fmt.Sprintf("%s failed: %s", e.Tool, e.Message) }

// Unwrap returns the cause.
func (e *ToolExecutionError) Unwrap() error { return e.Err }

// An UpstreamError means that the server of a tool did not respond.
type UpstreamError struct {
	Tool   string
	Server string
	Err    error
}

// Error includes the tool, the server and the cause.
func (e *UpstreamError) Error() string { return fmt.Sprintf("%s: %v", e.Tool, e.Err) }

// Unwrap returns the cause.
func (e *UpstreamError) Unwrap() error { return e.Err }

// TypeOf returns the name of an error type for clients: one of this package or of the catalog, or "" for any other.
func TypeOf(err error) string {
	for _, known := range []struct {
		name string
		is   bool
	}{
		{"QuarantineError", is[*catalog.QuarantineError](err)},
		{"ValidationError", is[*ValidationError](err)}, {"TypeError", is[*TypeError](err)},
		{"TimeoutError", is[*TimeoutError](err)},
		{"CancellationError", is[*CancellationError](err)}, {"ToolExecutionError", is[*ToolExecutionError](err)},
		{"AuthorizationError", is[*upstream.AuthorizationError](err)},
		{"StartingError", is[*upstream.StartingError](err)}, {"UpstreamError", is[*UpstreamError](err)},
		{"OutputError", is[*OutputError](err)}, {"NotFoundError", is[*catalog.NotFoundError](err)},
		{"ConflictError", is[*catalog.ConflictError](err)}, {"InvalidError", is[*catalog.InvalidError](err)},
		{"NotWaitingError", is[*catalog.NotWaitingError](err)},
	} {
		if known.is {
			return known.name
		}
	}
	return ""
}

func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// maxProblems is the maximum number of problems in a message; the lists contain all.
const maxProblems = 10

func describe(errors []schema.Violation, validators []Verdict) string {
	var parts []string
	for _, v := range errors {
		parts = append(parts, v.Message)
	}
	for _, v := range validators {
		if v.Outcome != Pass {
			parts = append(parts, v.Name+": "+v.Message)
		}
	}
	if more := len(parts) - maxProblems; more > 0 {
		parts = append(parts[:maxProblems], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

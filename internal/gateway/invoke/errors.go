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

// A ValidationError says that arguments are not what the tool takes; the tool was not run.
type ValidationError struct {
	Tool       string
	Errors     []schema.Violation // all of them
	Validators []Verdict          // what the tool's own validators say
}

// Error lists what is wrong.
func (e *ValidationError) Error() string {
	return fmt.Sprintf("the arguments of %s are not valid: %s", e.Tool, describe(e.Errors, e.Validators))
}

// Missing lists the required parameters that are not there.
func (e *ValidationError) Missing() []string {
	var names []string
	for _, v := range e.Errors {
		if v.Rule == "required" {
			names = append(names, strings.Split(v.Expected, ", ")...)
		}
	}
	return names
}

// A TypeError says that arguments have the wrong type and nothing else is wrong; the tool was not run.
type TypeError struct {
	Tool       string
	Parameter  string // the first that is wrong
	Expected   string
	Actual     string
	Errors     []schema.Violation // all of them
	Validators []Verdict
}

// Error names the parameter, what was expected and what came.
func (e *TypeError) Error() string {
	return fmt.Sprintf("the arguments of %s have the wrong type: %s", e.Tool, describe(e.Errors, e.Validators))
}

// A TimeoutError says that a tool took longer than it may. There is no partial result.
type TimeoutError struct {
	Tool    string
	Limit   time.Duration
	Elapsed time.Duration
}

// Error names the tool, the limit and the time that passed.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s took longer than its limit of %v (%v passed)", e.Tool, e.Limit, e.Elapsed.Round(time.Millisecond))
}

// A CancellationError says that whoever called a tool took the call back.
type CancellationError struct {
	Tool    string
	Elapsed time.Duration
	Cause   error
}

// Error names the tool.
func (e *CancellationError) Error() string {
	return fmt.Sprintf("the call of %s was cancelled", e.Tool)
}

// Unwrap returns why.
func (e *CancellationError) Unwrap() error { return e.Cause }

// A ToolExecutionError says that a tool failed in a way that is no result.
type ToolExecutionError struct {
	Tool    string
	Message string          // the original
	Context string          // the invocation: caller, trace, the shape of the arguments; no values
	Result  json.RawMessage // in which the tool itself says that it failed; nil if there is none
	Stack   []byte          // of the Go function that panicked; for the log, never for a client
	Err     error
}

// Error names the tool and the original message.
func (e *ToolExecutionError) Error() string { return fmt.Sprintf("%s failed: %s", e.Tool, e.Message) }

// Unwrap returns the cause.
func (e *ToolExecutionError) Unwrap() error { return e.Err }

// An UpstreamError says that the server of a tool gave no answer.
type UpstreamError struct {
	Tool   string
	Server string
	Err    error
}

// Error names the tool, the server and what happened.
func (e *UpstreamError) Error() string { return fmt.Sprintf("%s: %v", e.Tool, e.Err) }

// Unwrap returns the cause.
func (e *UpstreamError) Unwrap() error { return e.Err }

// TypeOf names the type of an error for clients: one of this package's or of the catalog's, or "" for any other.
func TypeOf(err error) string {
	for _, known := range []struct {
		name string
		is   bool
	}{
		{"ValidationError", is[*ValidationError](err)}, {"TypeError", is[*TypeError](err)}, {"TimeoutError", is[*TimeoutError](err)},
		{"CancellationError", is[*CancellationError](err)}, {"ToolExecutionError", is[*ToolExecutionError](err)},
		{"StartingError", is[*upstream.StartingError](err)}, {"UpstreamError", is[*UpstreamError](err)}, {"OutputError", is[*OutputError](err)}, {"NotFoundError", is[*catalog.NotFoundError](err)},
		{"ConflictError", is[*catalog.ConflictError](err)}, {"InvalidError", is[*catalog.InvalidError](err)},
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

// shown is how many problems stand in a message; the lists have all.
const shown = 10

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
	if more := len(parts) - shown; more > 0 {
		parts = append(parts[:shown], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// Package invoke runs the tools of the catalog: arguments are validated first, the tool's timeout and the caller's
// cancellation apply while it runs, and failures are errors of known types.
package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// A Status is how an invocation ended.
type Status string

// The statuses.
const (
	Success Status = "SUCCESS"
	Failure Status = "FAILURE"
)

// DefaultTimeout is the timeout of a tool that sets none.
const DefaultTimeout = timeout.Default

// An Invoker runs tools. Its fields are set before its first use.
type Invoker struct {
	Timeout       time.Duration            // of tools that set none; 0 means DefaultTimeout
	Funcs         map[string]Func          // functions for a tool's Run.Func
	Validators    map[string]ValidatorFunc // functions for validators without an expression
	Hosts         []string                 // that a tool's Run.HTTP may reach, as host or host:port
	Rules         []Rule                   // for tools by their names
	Client        *http.Client             // for Run.HTTP; it should check the addresses that it dials
	Log           *slog.Logger
	Redact        func(string) string // removes secrets from a text; nil means the built-in detection
	RedactResults bool                // also remove secrets from tool results
	Audit         func(Record)        // called after each invocation and each change of the catalog; may be nil

	limits      atomic.Pointer[Limits] // replaces Timeout, Hosts, Rules and RedactResults after a change
	schemas     schema.Cache
	expressions expressions
}

// An Invocation is one call of a tool.
type Invocation struct {
	Tool      *catalog.Tool
	Arguments json.RawMessage // nil means no arguments
	Caller    string
	Trace     string // the trace of the call
	// Admit returns why the tool may not be run, before anything else is checked; nil admits everything.
	Admit func() error
	// Upstream sends the call to the tool's server. The result is the server's own JSON.
	Upstream func(ctx context.Context, run *catalog.UpstreamRun, limit time.Duration) (json.RawMessage, error)
}

// An Outcome is the outcome of an invocation with a response.
type Outcome struct {
	Status   Status
	Result   json.RawMessage // the tool's result, verbatim
	Mismatch error           // an *OutputError if the result violates the tool's output schema
	Elapsed  time.Duration
}

// A Record is the log record of an invocation, or of a change of the catalog: it contains no argument values.
type Record struct {
	Time   time.Time
	Action string // the change of the tool, if it was not called: register, update, remove, import, approve,
	// quarantine or release
	Caller    string
	Server    string
	Tool      string
	Version   int
	Arguments json.RawMessage // for a hash, not stored
	Outcome   string          // SUCCESS, or the type of the error
	Mismatch  bool            // the result violates the tool's output schema
	Elapsed   time.Duration
	Trace     string
}

// Invoke validates the arguments and runs the tool. A result with isError is an outcome with status FAILURE; an error
// is one of this package's types, or the error response of the tool's server.
func (v *Invoker) Invoke(ctx context.Context, i Invocation) (*Outcome, error) {
	start := time.Now()
	result, err := v.invoke(ctx, i, start)
	out := &Outcome{Status: Success, Result: result, Elapsed: time.Since(start)}
	if err == nil {
		out.Status, out.Mismatch = StatusOf(result), v.CheckOutput(i.Tool, result)
	}
	v.record(i, out, err, start)
	if err != nil {
		return nil, err
	}
	out.Result = v.Outgoing(out.Result)
	return out, nil
}

func (v *Invoker) invoke(ctx context.Context, i Invocation, start time.Time) (json.RawMessage, error) {
	if i.Admit != nil {
		if err := i.Admit(); err != nil {
			return nil, err
		}
	}
	if err := v.Validate(ctx, i.Tool, i.Arguments).failure(i.Tool); err != nil {
		return nil, err
	}
	limit := v.limitOf(i.Tool)
	timely, cancel := context.WithTimeoutCause(ctx, limit, context.DeadlineExceeded)
	defer cancel()
	result, err := v.run(timely, i, limit)
	if err == nil && timely.Err() == nil {
		return result, nil
	}
	return nil, v.classify(ctx, timely, i, err, limit, time.Since(start))
}

// classify converts a failure to its error type.
func (v *Invoker) classify(ctx, timely context.Context, i Invocation, err error, limit, elapsed time.Duration) error {
	tool := i.Tool.Key().String()
	var typed *ToolExecutionError
	var refused *mcp.RPCError
	switch {
	case ctx.Err() != nil:
		return &CancellationError{Tool: tool, Elapsed: elapsed, Cause: context.Cause(ctx)}
	case is[*catalog.QuarantineError](err):
		return err
	case is[*upstream.AuthorizationError](err), is[*upstream.StartingError](err), is[*upstream.OverloadedError](err): // it was not run, so it did not time out
		return &UpstreamError{Tool: tool, Server: i.Tool.Run.Upstream.Server, Err: err}
	case timely.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return &TimeoutError{Tool: tool, Limit: limit, Elapsed: elapsed}
	case errors.As(err, &typed):
		typed.Context = v.context(i)
		return typed
	case errors.As(err, &refused):
		return &ToolExecutionError{Tool: tool, Message: refused.Message, Context: v.context(i), Err: err}
	case i.Tool.Run.Upstream != nil:
		return &UpstreamError{Tool: tool, Server: i.Tool.Run.Upstream.Server, Err: err}
	}
	return &ToolExecutionError{Tool: tool, Message: err.Error(), Context: v.context(i), Err: err}
}

// StatusOf returns the status of a tool's result: FAILURE if it has isError.
func StatusOf(result json.RawMessage) Status {
	var said struct {
		IsError bool `json:"isError"`
	}
	if containsIsError(result) && json.Unmarshal(result, &said) == nil && said.IsError {
		return Failure
	}
	return Success
}

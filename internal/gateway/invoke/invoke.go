// Package invoke runs the tools of the catalog: arguments are validated before anything happens, the tool's timeout and
// the caller's cancellation hold while it runs, and what goes wrong is an error of a known type.
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

// DefaultTimeout is how long a tool that sets no limit may take.
const DefaultTimeout = timeout.Default

// An Invoker runs tools. Its fields are set before its first use.
type Invoker struct {
	Timeout       time.Duration            // of tools that set none; 0 means DefaultTimeout
	Funcs         map[string]Func          // what a tool's Run.Func can name
	Validators    map[string]ValidatorFunc // what a validator without an expression can name
	Hosts         []string                 // that a tool's Run.HTTP may reach, as host or host:port
	Client        *http.Client             // for Run.HTTP; it should look at the addresses that it dials
	Log           *slog.Logger
	Redact        func(string) string // removes secrets from a text; nil means those that can be recognized
	RedactResults bool                // remove secrets from results of tools too
	Audit         func(Record)        // told of each invocation when it is over, and of each change of the catalog; nil is fine

	limits      atomic.Pointer[Limits] // in place of Timeout, Hosts and RedactResults, once they have changed
	schemas     schema.Cache
	expressions expressions
}

// An Invocation is one call of a tool.
type Invocation struct {
	Tool      *catalog.Tool
	Arguments json.RawMessage // nil means none
	Caller    string
	Trace     string // the trace that the call belongs to
	// Upstream sends the call to the tool's server. The result is the server's own JSON.
	Upstream func(ctx context.Context, run *catalog.UpstreamRun, limit time.Duration) (json.RawMessage, error)
}

// An Outcome is what came of an invocation that was answered.
type Outcome struct {
	Status   Status
	Result   json.RawMessage // the tool's result, as it came
	Mismatch error           // an *OutputError if the result is not what the tool's schema promises
	Elapsed  time.Duration
}

// A Record is what is kept of an invocation, or of a change of the catalog: no value of an argument.
type Record struct {
	Time      time.Time
	Action    string // what was done to the tool instead of calling it: register, update, remove or import
	Caller    string
	Server    string
	Tool      string
	Version   int
	Arguments json.RawMessage // for a hash, not for keeping
	Outcome   string          // SUCCESS, or the type of the error
	Mismatch  bool            // the result is not what the tool's schema promises
	Elapsed   time.Duration
	Trace     string
}

// Invoke validates the arguments and runs the tool. A result in which the tool says itself that it failed is an
// outcome with status FAILURE; an error is one of this package's types, or what the tool's server refused the call with.
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
	tool := i.Tool.Key().String()
	if err := v.Validate(ctx, i.Tool, i.Arguments).failure(tool); err != nil {
		return nil, err
	}
	limit := i.Tool.Timeout
	if limit == 0 {
		limit = v.Limit()
	}
	timely, cancel := context.WithTimeoutCause(ctx, limit, context.DeadlineExceeded)
	defer cancel()
	result, err := v.run(timely, i, limit)
	if err == nil && timely.Err() == nil {
		return result, nil
	}
	return nil, v.classify(ctx, timely, i, err, limit, time.Since(start))
}

// classify gives a failure its type.
func (v *Invoker) classify(ctx, timely context.Context, i Invocation, err error, limit, elapsed time.Duration) error {
	tool := i.Tool.Key().String()
	var typed *ToolExecutionError
	var refused *mcp.RPCError
	switch {
	case ctx.Err() != nil:
		return &CancellationError{Tool: tool, Elapsed: elapsed, Cause: context.Cause(ctx)}
	case is[*upstream.StartingError](err): // the tool was not run, so that it did not take too long
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

// StatusOf tells whether a tool's result says that the tool failed.
func StatusOf(result json.RawMessage) Status {
	var said struct {
		IsError bool `json:"isError"`
	}
	if containsIsError(result) && json.Unmarshal(result, &said) == nil && said.IsError {
		return Failure
	}
	return Success
}

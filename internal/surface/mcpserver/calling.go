package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func callTool() tool {
	return tool{
		name: "call_tool", changes: true, open: true,
		doc: "Calls a tool and returns the result as sent. If " +
			"tool_call.pending is returned, the server requests input: use answer.",
		input: closed("",
			need("name", text("Name of the tool, as in list_tools.", maxName)),
			need("arguments", anything("Arguments; {} for none.")),
			onConnection(), withTimeout(),
			may("skip_validation", flag("Also send wrong arguments, and call unlisted tools.")),
			withVerbosity()),
		output: outputSchema(part("tool_call")),
		run:    runCall,
	}
}

// A toolCall describes a call in a result.
type toolCall struct {
	ToolName  string          `json:"tool_name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result,omitempty"`
	Execution execution       `json:"execution"`
	Binary    []binary        `json:"binary,omitempty"`
	Cut       string          `json:"cut,omitempty"`
	Pending   *pending        `json:"pending,omitempty"`
}

// An execution is when a call ran and how it ended.
type execution struct {
	StartedAt   string `json:"started_at"`
	CompletedAt string `json:"completed_at,omitempty"`
	DurationMS  int64  `json:"duration_ms"`
	Success     bool   `json:"success"`
}

// A callResponse is the result of a call.
type callResponse struct {
	Success    bool      `json:"success"`
	Connection reference `json:"connection"`
	ToolCall   toolCall  `json:"tool_call"`
	Frames     []frame   `json:"frames,omitempty"`
	Metadata   timing    `json:"metadata"`
}

// A callInput is the input of call_tool.
type callInput struct {
	Name           string
	Arguments      json.RawMessage
	Connection     string
	TimeoutMS      int64 `json:"timeout_ms"`
	SkipValidation bool  `json:"skip_validation"`
	Verbosity      verbosity
}

func runCall(ctx context.Context, c *call) (any, error) {
	in := decode[callInput](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	mark := l.Log.Len()
	definition, listed, err := c.findTool(ctx, l, in.Name)
	if err != nil {
		return nil, err
	}
	if !listed && !in.SkipValidation {
		return nil, &failure{Type: toolNotFound, Message: fmt.Sprintf("unknown tool %q: the server does not list it",
			in.Name), Details: details{"tool": in.Name},
			Suggestion: "use list_tools to see the available tools, or skip_validation to call it anyway"}
	}
	if listed && !in.SkipValidation {
		if err := examine(in.Name, definition, in.Arguments); err != nil {
			return nil, err
		}
	}
	l.ToolsCalled.Add(1)
	request := calls.Call{Method: calls.Tool, Name: in.Name, Arguments: in.Arguments, Definition: definition}
	run := l.Begin(request.Request(l.Session), time.Duration(in.TimeoutMS)*time.Millisecond)
	about := &toolCallRun{in: in, link: l, request: request, listed: listed, run: run, mark: mark}
	return c.await(ctx, run, about)
}

// findTool gets the definition of a tool. A server without a list may still have the tool.
func (c *call) findTool(ctx context.Context, l *connections.Link, name string) (definition json.RawMessage, listed bool,
	err error) {
	tools, err := l.Session.List(ctx, "tools/list")
	if err != nil {
		return nil, false, err
	}
	item, listed := tools.Find(name)
	return item.Raw, listed, nil
}

// examine validates arguments against a tool's schema. An invalid schema forbids nothing.
func examine(name string, definition, given json.RawMessage) error {
	input, ok := schema.Get(definition, "/inputSchema")
	if !ok {
		return nil
	}
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		return nil
	}
	found := arguments.Examine(compiled, input, given)
	if found.OK() {
		return nil
	}
	first := "they are valid, but cannot be sent unchanged"
	if len(found.Violations) > 0 {
		first = found.Violations[0].Message
	}
	return &failure{Type: invalidArguments, Message: fmt.Sprintf("invalid arguments for %s; nothing was sent: %s", name,
		first),
		Details: details{"violations": found.Violations, "cautions": found.Cautions, "fixes": found.Fixes,
			"sent": false},
		Suggestion: "correct them according to the input schema, or use skip_validation to send them unchanged"}
}

// A toolCallRun is a tool call in flight.
type toolCallRun struct {
	in      callInput
	link    *connections.Link
	request calls.Call
	listed  bool
	run     *connections.Running
	mark    int
}

// finish builds the result of a finished call.
func (a *toolCallRun) finish(_ context.Context, c *call, ex *mcp.Exchange, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	verdict := a.request.Evaluate(a.link.Session, ex)
	c.checked(verdict.Remarks())
	done := a.display(ex)
	switch {
	case verdict.RPC != nil:
		return nil, a.refused(verdict)
	case verdict.IsError:
		return nil, &failure{Type: executionError, Message: "tool error: " + clip.Text(firstText(ex.Reply.Result), 500),
			Details:    details{"is_error": true},
			Suggestion: "see tool_call.result for the complete output of the tool", call: &done}
	case verdict.Failed():
		f := malformed(verdict)
		f.call = &done
		return nil, f
	}
	done.Execution.Success = true
	out := callResponse{Success: true, Connection: reached(a.link), ToolCall: done, Metadata: timing{c.elapsed()}}
	if a.in.Verbosity == full {
		out.Frames = framesSince(a.link, a.mark)
	}
	return out, nil
}

// pend builds the result of a call that waits for input.
func (a *toolCallRun) pend(c *call, p *pending) any {
	call := toolCall{ToolName: a.in.Name, Arguments: small(a.in.Arguments), Pending: p,
		Execution: execution{StartedAt: stamp(a.run.Started), DurationMS: time.Since(a.run.Started).Milliseconds()}}
	return callResponse{Success: true, Connection: reached(a.link), ToolCall: call, Metadata: timing{c.elapsed()}}
}

func (a *toolCallRun) display(ex *mcp.Exchange) toolCall {
	call := toolCall{ToolName: a.in.Name, Arguments: small(a.in.Arguments),
		Execution: execution{StartedAt: stamp(a.run.Started), CompletedAt: stamp(a.run.Ended),
			DurationMS: a.run.Ended.Sub(a.run.Started).Milliseconds()}}
	if result := ex.Reply.Result; result != nil {
		call.Result, call.Cut = bounded(result, ex.Reply.Frame.Seq, a.in.Verbosity)
		call.Binary = binaries(result)
	}
	return call
}

// refused converts a server's error to a failure. The meaning of its code depends on whether the server lists
// the tool.
func (a *toolCallRun) refused(verdict *calls.Verdict) *failure {
	e, d := verdict.RPC, details{"sent": true}
	describeRPC(d, e)
	f := &failure{Type: executionError, Message: "the server responded to the call with " + e.Error(), Details: d,
		Suggestion: "use get_transcript to see the messages"}
	switch {
	case !a.listed && (e.Code == mcp.CodeInvalidParams || e.Code == mcp.CodeMethodNotFound):
		f.Type, f.Suggestion = toolNotFound, "use list_tools to see the available tools"
	case e.Code == mcp.CodeInvalidParams:
		f.Type, f.Suggestion = invalidArguments, "the server rejected arguments that its schema allows; see its "+
			"error message for the reason"
	}
	return f
}

// malformed converts a response that is not an error but counts as one to a failure.
func malformed(verdict *calls.Verdict) *failure {
	remarks := verdict.Remarks()
	return &failure{Type: executionError, Message: "invalid result: " + clip.Text(remarks[0].Message, 500),
		Details:    details{},
		Suggestion: "this is a bug in the server; use get_transcript to see the response"}
}

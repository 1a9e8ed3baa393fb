package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func callTool() tool {
	return tool{
		name: "call_tool", title: "Call a tool", changes: true, open: true,
		doc: "Calls a tool of the connected server and returns the whole result: every content block, structured content, metadata, and how long " +
			"it took. The arguments are checked against the tool's schema first. If the server asks for input, the answer has " +
			"tool_call.pending at once; reply with the tool answer.",
		input: closed("",
			need("name", text("The tool to call, as list_tools names it.", maxName)),
			need("arguments", anything("The arguments for the tool, as its input schema wants them; {} if it takes none.")),
			onConnection(), withTimeout(),
			may("skip_validation", flag("Send the arguments even if the tool's schema forbids them, or the server lists no such tool.")),
			withDetail(), withFrames()),
		output: answers(connectionAnswer(), need("tool_call", callSchema()), framesAnswer(), metadataAnswer()),
		run:    runCall,
	}
}

func callSchema() string {
	return record("The call.",
		need("tool_name", line("")),
		need("arguments", anything("The arguments as they were sent.")),
		may("result", value("The whole result as the server sent it.")),
		need("execution", record("", need("started_at", moment("")), may("completed_at", moment("")), need("duration_ms", count("")), need("success", flag("")))),
		may("binary", rows("What the base64 in the result is.", record("", need("pointer", line("")), need("mime_type", line("")), need("bytes", count(""))))),
		may("output_problems", rows("Where structured content departs from the tool's output schema.", record(""))),
		remarksAnswer(),
		may("cut", line("What was left out of the result, and how to get it.")),
		pendingAnswer())
}

// A toolCall is what an answer says about a call.
type toolCall struct {
	ToolName       string             `json:"tool_name"`
	Arguments      json.RawMessage    `json:"arguments"`
	Result         json.RawMessage    `json:"result,omitempty"`
	Execution      execution          `json:"execution"`
	Binary         []binary           `json:"binary,omitempty"`
	OutputProblems []schema.Violation `json:"output_problems,omitempty"`
	Remarks        []calls.Remark     `json:"remarks,omitempty"`
	Cut            string             `json:"cut,omitempty"`
	Pending        *pending           `json:"pending,omitempty"`
}

// An execution is when a call ran and how it ended.
type execution struct {
	StartedAt   string `json:"started_at"`
	CompletedAt string `json:"completed_at,omitempty"`
	DurationMS  int64  `json:"duration_ms"`
	Success     bool   `json:"success"`
}

// A called is the answer of a call.
type called struct {
	Success    bool       `json:"success"`
	Connection connection `json:"connection"`
	ToolCall   toolCall   `json:"tool_call"`
	Frames     []frame    `json:"frames,omitempty"`
	Metadata   timing     `json:"metadata"`
}

// A callInput is what call_tool takes.
type callInput struct {
	Name           string
	Arguments      json.RawMessage
	Connection     string
	TimeoutMS      int64 `json:"timeout_ms"`
	SkipValidation bool  `json:"skip_validation"`
	Detail         string
	Frames         bool
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
		return nil, &failure{Type: toolNotFound, Message: fmt.Sprintf("the server lists no tool %q", in.Name), Details: details{"tool": in.Name},
			Suggestion: "list_tools shows what there is; skip_validation calls it all the same"}
	}
	if listed && !in.SkipValidation {
		if err := examine(in.Name, definition, in.Arguments); err != nil {
			return nil, err
		}
	}
	l.ToolsCalled.Add(1)
	request := calls.Call{Method: calls.Tool, Name: in.Name, Arguments: in.Arguments, Definition: definition}
	run := l.Begin(request.Request(l.Session), time.Duration(in.TimeoutMS)*time.Millisecond)
	about := &calling{in: in, link: l, request: request, listed: listed, run: run, mark: mark}
	return c.await(ctx, run, about)
}

// findTool gets the definition of a tool. A server that has no list still may have the tool.
func (c *call) findTool(ctx context.Context, l *workbench.Link, name string) (definition json.RawMessage, listed bool, err error) {
	tools, err := l.Session.List(ctx, "tools/list")
	if err != nil {
		return nil, false, err
	}
	item, listed := tools.Find(name)
	return item.Raw, listed, nil
}

// examine holds arguments against a tool's schema. A schema that cannot be used forbids nothing.
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
	first := "they are valid, but not to be sent as they are"
	if len(found.Violations) > 0 {
		first = found.Violations[0].Message
	}
	return &failure{Type: invalidArguments, Message: fmt.Sprintf("the arguments do not fit %s, and nothing was sent: %s", name, first),
		Details:    details{"violations": found.Violations, "cautions": found.Cautions, "fixes": found.Fixes, "sent": false},
		Suggestion: "correct them by the input schema; skip_validation sends them as they are"}
}

// A calling is a call of a tool under way.
type calling struct {
	in      callInput
	link    *workbench.Link
	request calls.Call
	listed  bool
	run     *workbench.Running
	mark    int
}

// finish makes the answer of a call that has ended.
func (a *calling) finish(_ context.Context, c *call, ex *mcp.Exchange, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	verdict := a.request.Judge(a.link.Session, ex)
	done := a.shown(ex, verdict)
	switch {
	case verdict.RPC != nil:
		return nil, a.refused(verdict)
	case verdict.IsError:
		return nil, &failure{Type: executionError, Message: "the tool reports an error: " + clip(firstText(ex.Reply.Result), 500),
			Details: details{"is_error": true, "remarks": verdict.Remarks()}, Suggestion: "tool_call.result has all that the tool said", call: &done}
	case verdict.Failed():
		f := malformed(verdict)
		f.call = &done
		return nil, f
	}
	done.Execution.Success = true
	out := called{Success: true, Connection: describe(a.link), ToolCall: done, Metadata: timing{c.elapsed()}}
	if a.in.Frames {
		out.Frames = framesSince(a.link, a.mark)
	}
	return out, nil
}

// pend makes the answer of a call that waits for input.
func (a *calling) pend(c *call, p *pending) any {
	call := toolCall{ToolName: a.in.Name, Arguments: small(a.in.Arguments), Pending: p,
		Execution: execution{StartedAt: stamp(a.run.Started), DurationMS: time.Since(a.run.Started).Milliseconds()}}
	return called{Success: true, Connection: describe(a.link), ToolCall: call, Metadata: timing{c.elapsed()}}
}

func (a *calling) shown(ex *mcp.Exchange, verdict *calls.Verdict) toolCall {
	call := toolCall{ToolName: a.in.Name, Arguments: small(a.in.Arguments), Execution: execution{StartedAt: stamp(a.run.Started), CompletedAt: stamp(a.run.Ended),
		DurationMS: a.run.Ended.Sub(a.run.Started).Milliseconds()}}
	if result := ex.Reply.Result; result != nil {
		call.Result, call.Cut = bounded(result, ex.Reply.Frame.Seq, a.in.Detail == "summary")
		call.Binary = binaries(result)
		call.OutputProblems, call.Remarks = verdict.Mismatches, verdict.Remarks()
	}
	return call
}

// refused makes a failure of a server's error. What its code means depends on whether the server lists the tool.
func (a *calling) refused(verdict *calls.Verdict) *failure {
	e, d := verdict.RPC, details{"sent": true, "remarks": verdict.Remarks()}
	tellRPC(d, e)
	f := &failure{Type: executionError, Message: "the server answers the call with " + e.Error(), Details: d, Suggestion: "get_transcript shows the exchange"}
	switch {
	case !a.listed && (e.Code == mcp.CodeInvalidParams || e.Code == mcp.CodeMethodNotFound):
		f.Type, f.Suggestion = toolNotFound, "list_tools shows what there is"
	case e.Code == mcp.CodeInvalidParams:
		f.Type, f.Suggestion = invalidArguments, "the server refuses arguments that its schema allows; its message may say why"
	}
	return f
}

// malformed makes a failure of a response that is no error and yet counts as one.
func malformed(verdict *calls.Verdict) *failure {
	remarks := verdict.Remarks()
	return &failure{Type: executionError, Message: "the result does not conform: " + clip(remarks[0].Message, 500), Details: details{"remarks": remarks},
		Suggestion: "this is a defect of the server; get_transcript shows the response"}
}

// Package requests has the operations that send single requests to a server: lists, calls, reads, prompts,
// completions, subscriptions and raw frames.
package requests

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A CallInput is the input of ToolsCall.
type CallInput struct {
	Tool string   `json:"tool" cli:"arg" jsonschema:"the tool to call"`
	Arg  []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"argument, converted according to the schema; k:=JSON passes JSON as is, a.b=V and list[]=V set nested values"`
	Args string   `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments as a JSON object, sent byte for byte; pass a file name or - to read them from a file or stdin"`
	workbench.Connection
	Example     bool   `json:"example,omitempty" jsonschema:"call with example arguments generated from the schema"`
	Seed        uint64 `json:"seed,omitempty" placeholder:"N" jsonschema:"seed for --example"`
	Interactive bool   `json:"interactive,omitempty" short:"i" jsonschema:"prompt for the arguments one by one"`
	NoValidate  bool   `json:"no_validate,omitempty" jsonschema:"send the arguments even if the tool's schema forbids them"`
	Task        bool   `json:"task,omitempty" jsonschema:"run the call as a task, if the server supports it"`
	Save        string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"save binary content to files in DIR"`
}

// A CallResult is the response to a call of a tool.
type CallResult struct {
	Response
	Arguments json.RawMessage // as they were sent
}

// ToolsCall calls a tool.
var ToolsCall = workbench.Op[CallInput, *CallResult]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "tools call", Parent: &tools, Page: true,
	Doc: "Call a tool\n\nArguments are checked against the tool's schema before anything is sent, and structured " +
		"content against its\n" +
		"output schema. Exits with 1 if the tool reports an error, the server returns one, or the output does not " +
		"match.",
	Example: "mcptest tools call echo --arg message=hi demo" + "\n" +
		`mcptest tools call add --args '{"a":2,"b":1e3}' demo`,
	Run:  runCall,
	Text: writeCall,
}

func runCall(ctx context.Context, w *workbench.Workbench, in *CallInput) (*CallResult, error) {
	given, err := in.Given(w)
	if err != nil {
		return nil, err
	}
	saved, err := newSaver(w, in.Save)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	tool, err := FindTool(ctx, w, s, in)
	if err != nil {
		return nil, err
	}
	arguments, err := Prepare(ctx, w, in, tool, given)
	if err != nil {
		return nil, err
	}
	call := &calls.Call{Method: calls.Tool, Name: in.Tool, Arguments: arguments, Definition: tool, AsTask: in.Task}
	outcome, err := call.Send(ctx, s, func(p mcp.Progress) { w.Event(workbench.Event{Progress: &p}) })
	if err != nil {
		return nil, err
	}
	blocks, _ := elementsAt(outcome.Reply.Result, "/content")
	for _, block := range blocks {
		saved.block(block)
	}
	return &CallResult{Response: Response{Outcome: outcome, saved: saved}, Arguments: arguments}, nil
}

// FindTool gets the tool's definition. A tool that the server does not list is called only with NoValidate.
func FindTool(ctx context.Context, w *workbench.Workbench, s *mcp.Session, in *CallInput) (json.RawMessage, error) {
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	if item, ok := list.Find(in.Tool); ok {
		return item.Raw, nil
	}
	if in.NoValidate {
		return nil, nil
	}
	advice := hint.Text("run mcptest tools list to see the tools; use {--no-validate} to call it anyway")
	if names := similar(in.Tool, list.Items); len(names) > 0 {
		advice = hint.Text("did you mean " + strings.Join(names, ", ") + "? Use {--no-validate} to call it anyway")
	}
	return nil, &workbench.UsageError{Message: "unknown tool " + in.Tool, Hint: advice}
}

// similar lists names with a similar spelling, then those that share a part with the given one.
func similar(name string, items []mcp.Item) []string {
	var all, alike []string
	fold := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(s))
	}
	typed := fold(name)
	for _, item := range items {
		all = append(all, item.Name)
		known := fold(item.Name)
		if known != "" && (strings.Contains(known, typed) || strings.Contains(typed, known) ||
			sharedPrefix(known, typed) >= 4) {
			alike = append(alike, item.Name)
		}
	}
	names := typo.Nearest(name, all)
	for _, n := range alike {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names[:min(len(names), 5)]
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func writeCall(out io.Writer, r *CallResult) error {
	t := workbench.NewText(out)
	if r.refused() {
		r.writeRemarks(t)
		return t.Err
	}
	blocks, err := elementsAt(r.Reply.Result, "/content")
	for _, block := range blocks {
		writeBlock(t, block, r.saved)
	}
	if _, structured := schema.Get(r.Reply.Result, "/structuredContent"); err != nil && !structured {
		t.JSON(r.Reply.Result)
	}
	writeStructured(t, r.Reply.Result)
	r.writeRemarks(t)
	return t.Err
}

package workbench

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A CallInput asks for a tool to be called.
type CallInput struct {
	Tool string   `json:"tool" cli:"arg" jsonschema:"the tool to call"`
	Arg  []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"an argument, converted by the tool's schema; k:=JSON is sent as it is, a.b=V and list[]=V reach in"`
	Args string   `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments as a JSON object, sent byte for byte; a file name or - reads them from there"`
	Connection
	Example     bool   `json:"example,omitempty" jsonschema:"call with arguments made up from the tool's schema"`
	Seed        uint64 `json:"seed,omitempty" placeholder:"N" jsonschema:"another number gives another example"`
	Interactive bool   `json:"interactive,omitempty" short:"i" jsonschema:"ask for the arguments one by one"`
	NoValidate  bool   `json:"no_validate,omitempty" jsonschema:"send the arguments even if the tool's schema forbids them"`
	Task        bool   `json:"task,omitempty" jsonschema:"run it as a task, where the server can"`
	Save        string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"keep binary content as files there"`
}

// A CallResult is what came of a call.
type CallResult struct {
	Answer
	Arguments  json.RawMessage    // as they were sent
	Mismatches []schema.Violation // where structured content departs from the output schema
	Unchecked  string             // why structured content could not be checked
}

// Failed reports whether the tool, the protocol or the output schema says that the call failed.
func (r *CallResult) Failed() bool {
	return r.Answer.Failed() || r.IsError() || len(r.Mismatches) > 0
}

// IsError reports whether the tool itself says that it failed.
func (r *CallResult) IsError() bool {
	flag, _ := schema.Get(r.Reply.Result, "/isError")
	return string(flag) == "true"
}

// ToolsCall calls a tool.
var ToolsCall = Op[CallInput, *CallResult]{
	Name: "tools call", Surfaces: Page | Assistant,
	Doc: "Call a tool\n\nArguments are checked against the tool's schema before anything is sent, and structured content against its\n" +
		"output schema. Exits with 1 if the tool reports an error, the server answers with one, or the output does not fit.",
	Example: "mcptest tools call echo --arg message=hi demo" + "\n" +
		`mcptest tools call add --args '{"a":2,"b":1e3}' demo`,
	Run:  runCall,
	Text: writeCall,
}

func runCall(ctx context.Context, w *Workbench, in *CallInput) (*CallResult, error) {
	given, err := in.given(w)
	if err != nil {
		return nil, err
	}
	saved, err := w.newSaver(in.Save)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	tool, err := w.findTool(ctx, s, in)
	if err != nil {
		return nil, err
	}
	arguments, err := w.prepare(ctx, in, tool, given)
	if err != nil {
		return nil, err
	}
	ex, err := s.Do(ctx, mcp.Request{
		Method: "tools/call", Params: mcp.Object("name", in.Tool, "arguments", arguments),
		OnProgress: func(p mcp.Progress) { w.event(Event{Progress: &p}) },
		Task:       in.Task || textAt(tool, "/execution/taskSupport") == "required",
	})
	if err != nil {
		return nil, err
	}
	result := &CallResult{Answer: Answer{Exchange: ex, saved: saved}, Arguments: arguments}
	result.judge(tool)
	return result, nil
}

// JudgeCall says what came of a call that was made elsewhere; tool is its definition, which may be nil.
func JudgeCall(ex *mcp.Exchange, tool, arguments json.RawMessage) *CallResult {
	result := &CallResult{Answer: Answer{Exchange: ex, saved: &saver{}}, Arguments: arguments}
	result.judge(tool)
	return result
}

func (r *CallResult) judge(tool json.RawMessage) {
	r.checkContent()
	r.checkOutput(tool)
}

// Remarks tells why the call counts as a failure, and where content was saved.
func (r *CallResult) Remarks() []string {
	all := r.Answer.Remarks()
	if r.Unchecked != "" {
		all = append(all, "✗ "+r.Unchecked)
	}
	for _, m := range r.Mismatches {
		all = append(all, "✗ output schema: "+m.Message)
	}
	return all
}

// checkContent looks whether the result is one, and keeps its binary content.
func (r *CallResult) checkContent() {
	if r.refused() {
		return
	}
	result := r.Reply.Result
	if flag, ok := schema.Get(result, "/isError"); ok && string(flag) != "true" && string(flag) != "false" {
		r.problem("isError is %s; want true or false", clip(string(flag), 60))
	}
	content, ok := schema.Get(result, "/content")
	_, structured := schema.Get(result, "/structuredContent")
	blocks, err := schema.Elements(content)
	switch {
	case !ok && !structured:
		r.problem("the result has no content")
	case ok && err != nil:
		r.problem("the content is not a list: %s", clip(string(content), 120))
	}
	for _, block := range blocks {
		r.saved.block(block)
	}
}

// findTool gets the tool's definition. A tool that the server does not list is called only if the person insists.
func (w *Workbench) findTool(ctx context.Context, s *mcp.Session, in *CallInput) (json.RawMessage, error) {
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
	hint := "mcptest tools list shows what it has; --no-validate calls it all the same"
	if names := similar(in.Tool, list.Items); len(names) > 0 {
		hint = "did you mean " + strings.Join(names, ", ") + "? --no-validate calls it all the same"
	}
	return nil, &UsageError{Message: "the server lists no tool " + in.Tool, Hint: hint}
}

// similar lists the names that are spelt nearly like the one that was typed, then those that share a part with it.
func similar(name string, items []mcp.Item) []string {
	var all, alike []string
	fold := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(s))
	}
	typed := fold(name)
	for _, item := range items {
		all = append(all, item.Name)
		known := fold(item.Name)
		if known != "" && (strings.Contains(known, typed) || strings.Contains(typed, known) || sharedPrefix(known, typed) >= 4) {
			alike = append(alike, item.Name)
		}
	}
	names := target.Nearest(name, all)
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

// checkOutput holds structured content against the output schema; never when the tool says that it failed.
func (r *CallResult) checkOutput(tool json.RawMessage) {
	output, declared := schema.Get(tool, "/outputSchema")
	if !declared || r.refused() || r.IsError() {
		return
	}
	content, ok := schema.Get(r.Reply.Result, "/structuredContent")
	if !ok {
		r.Mismatches = []schema.Violation{{Rule: "required", Expected: "structuredContent", Received: "nothing",
			Message: "the tool has an output schema but returned no structured content"}}
		return
	}
	compiled, err := schema.Compile(output, nil)
	if err != nil {
		r.Unchecked = "the output schema cannot be used: " + err.Error()
		return
	}
	r.Mismatches = compiled.Validate(content)
}

func writeCall(out io.Writer, r *CallResult) error {
	t := newText(out)
	if r.refused() {
		writeRPCError(t, r.Reply.Error)
		return t.err
	}
	blocks, err := elementsAt(r.Reply.Result, "/content")
	for _, block := range blocks {
		writeBlock(t, block, r.saved)
	}
	if _, structured := schema.Get(r.Reply.Result, "/structuredContent"); err != nil && !structured {
		t.json(r.Reply.Result)
	}
	r.writeProblems(t)
	writeStructured(t, r.Reply.Result)
	if r.IsError() {
		t.line(t.bad("✗ the tool reports an error (isError)"))
	}
	if r.Unchecked != "" {
		t.line(t.bad("✗ %s", r.Unchecked))
	}
	for _, m := range r.Mismatches {
		t.line(t.bad("✗ output schema: %s", m.Message))
	}
	return t.err
}

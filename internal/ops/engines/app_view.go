package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/render"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/requests"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// view calls the tool and reads its view.
func (in *AppInput) view(ctx context.Context, w *workbench.Workbench) (*render.Options, error) {
	call := &requests.CallInput{Tool: in.Tool, Arg: in.Arg, Args: in.Args}
	given, err := call.Given(w)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	tools, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	item, ok := tools.Find(in.Tool)
	if !ok {
		return nil, &workbench.UsageError{Message: "unknown tool " + in.Tool, Hint: hint.Text(toolsWithViews(tools.Items))}
	}
	tool := item.Raw
	opts := &render.Options{Tool: tool, Version: w.Version, Request: sender(s)}
	uri := appview.ReadTool(tool).ResourceURI
	if uri == "" {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("the tool %q declares no view", in.Tool),
			Hint: hint.Text(toolsWithViews(tools.Items) +
				"; to add a view, set _meta.ui.resourceUri in the definition of the tool")}
	}
	if opts.Arguments, err = requests.Prepare(ctx, w, call, tool, given); err != nil {
		var invalid *workbench.UsageError
		if errors.As(err, &invalid) {
			invalid.Hint = "pass the arguments with {--arg} or {--args}"
		}
		return nil, err
	}
	if opts.Resource, err = readView(ctx, s, uri); err != nil {
		return nil, err
	}
	opts.Resource.CSP.Reference = in.ReferencePolicy
	for _, item := range tools.Items {
		opts.Tools = append(opts.Tools, item.Raw)
	}
	request := &calls.Call{Method: calls.Tool, Name: in.Tool, Arguments: opts.Arguments, Definition: tool}
	outcome, err := request.Send(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	if opts.Result = outcome.Reply.Result; opts.Result == nil { // the view gets errors as hosts pass them on
		message := schema.TextAt(outcome.Reply.Frame.Body, "/error/message")
		opts.Result = mcp.Object("content", []json.RawMessage{mcp.Object("type", "text", "text", message)}, "isError", true)
	}
	return opts, nil
}

// undeclared describes the arguments that a tool does not declare. Servers accept most of them, and views ignore them.
func undeclared(tool, arguments json.RawMessage) string {
	for _, open := range []string{"additionalProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf"} {
		if _, ok := schema.Get(tool, "/inputSchema/"+open); ok {
			return ""
		}
	}
	properties, _ := schema.Get(tool, "/inputSchema/properties")
	declared, given := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(properties, &declared) != nil || json.Unmarshal(arguments, &given) != nil || len(declared) == 0 {
		return ""
	}
	known := slices.Sorted(maps.Keys(declared))
	maps.DeleteFunc(given, func(name string, _ json.RawMessage) bool { _, ok := declared[name]; return ok })
	if len(given) == 0 {
		return ""
	}
	return clip.Text(strings.Join(slices.Sorted(maps.Keys(given)), ", "), 200) + ": it declares " +
		clip.Text(strings.Join(known, ", "), 200)
}

// toolsWithViews lists the tools that can be rendered, for a hint.
func toolsWithViews(items []mcp.Item) string {
	var names []string
	for _, item := range items {
		if t := appview.ReadTool(item.Raw); t.ResourceURI != "" && slices.Contains(t.Visibility, "model") {
			names = append(names, item.Name)
		}
	}
	if len(names) == 0 {
		return "no tool of the server declares a view"
	}
	return clip.Text("tools with a view: "+strings.Join(names, ", "), 300)
}

// readView reads the resource of a view, and its entry in the list.
func readView(ctx context.Context, s *mcp.Session, uri string) (*appview.Resource, error) {
	var entry json.RawMessage
	if s.Declares("resources") {
		list, err := s.List(ctx, "resources/list")
		if err != nil {
			return nil, err
		}
		if item, ok := list.Find(uri); ok {
			entry = item.Raw
		}
	}
	result, failure := sender(s)(ctx, "resources/read", mcp.Object("uri", uri))
	if failure != nil {
		return nil, fmt.Errorf("resources/read %s: %s", uri, schema.TextAt(failure, "/message"))
	}
	return appview.ReadResource(uri, entry, result)
}

// sender sends requests of a view.
func sender(s *mcp.Session) func(context.Context, string, json.RawMessage) (result, failure json.RawMessage) {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, json.RawMessage) {
		ex, err := s.Do(ctx, mcp.Request{Method: method, Params: params})
		if err != nil {
			return nil, mcp.Object("code", -32000, "message", err.Error())
		}
		if ex.Reply.Error != nil {
			failure, _ := schema.Get(ex.Reply.Frame.Body, "/error")
			return nil, failure
		}
		return ex.Reply.Result, nil
	}
}

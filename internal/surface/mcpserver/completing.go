package mcpserver

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func complete() tool {
	return tool{
		name: "complete", open: true,
		doc: "Requests completions of a prompt's argument or a resource template's variable.",
		input: closed("",
			need("of", choice("What the argument belongs to.", "prompt", "resource_template")),
			need("name", text("Name of the prompt, or the URI template.", maxText)),
			need("argument", text("Argument to complete.", maxName)),
			need("value", text("Value so far; may be empty.", maxText)),
			may("chosen", list("Other arguments, as name=value.", 64, line(""))),
			onConnection()),
		run: runComplete,
	}
}

func runComplete(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Of, Name, Argument, Value, Connection string
		Chosen                                []string
	}](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	ref := mcp.Object("type", "ref/prompt", "name", in.Name)
	if in.Of == "resource_template" {
		ref = mcp.Object("type", "ref/resource", "uri", in.Name)
	}
	var chosen []any
	for _, a := range in.Chosen {
		name, value, _ := strings.Cut(a, "=")
		chosen = append(chosen, name, value)
	}
	var known any
	if chosen != nil {
		known = mcp.Object("arguments", mcp.Object(chosen...))
	}
	ex, err := l.Session.Do(ctx, mcp.Request{Method: "completion/complete",
		Params: mcp.Object("ref", ref, "argument", mcp.Object("name", in.Argument, "value", in.Value), "context",
			known)})
	if err != nil {
		return nil, err
	}
	if e := ex.Reply.Error; e != nil {
		return nil, refusedCompletion(e)
	}
	values := []string{}
	raw, _ := schema.Get(ex.Reply.Result, "/completion/values")
	elements, _ := schema.Elements(raw)
	for _, e := range elements {
		s, _ := schema.Text(e)
		values = append(values, s)
	}
	return ordered{"success", true, "connection", reached(l), "completion",
		ordered{"values", values, "raw", small(ex.Reply.Result)}, "metadata", timing{c.elapsed()}}, nil
}

func refusedCompletion(e *mcp.RPCError) *failure {
	d := details{"sent": true}
	describeRPC(d, e)
	f := &failure{Type: executionError, Message: "the server responded with " + e.Error(), Details: d,
		Suggestion: "check that the server declares the completions capability"}
	if e.Code == mcp.CodeInvalidParams {
		f.Type, f.Suggestion = invalidArguments, "use list_prompts and list_resource_templates to see what can be "+
			"completed"
	}
	return f
}

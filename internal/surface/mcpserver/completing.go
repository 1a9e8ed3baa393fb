package mcpserver

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func complete() tool {
	return tool{
		name: "complete", title: "Complete an argument", open: true,
		doc: "Requests completion values for an argument of a prompt, or for a variable of a resource template, from the connected server.",
		input: closed("",
			need("of", choice("What to complete: an argument of a prompt or a variable of a resource template.", "prompt", "resource_template")),
			need("name", text("The name of the prompt, or the URI template.", maxText)),
			need("argument", text("The argument to complete.", maxName)),
			need("value", text("The partial value so far; empty for none.", maxText)),
			may("chosen", list("Other arguments that already have a value.", 64, closed("An argument with its value.", need("name", text("The name of the argument.", maxName)), need("value", text("The value of the argument.", maxText))))),
			onConnection()),
		output: answers(connectionAnswer(), need("completion", record("The suggested values.", need("values", rows("", line(""))), need("raw", value("The result, exactly as the server sent it.")))), metadataAnswer()),
		run:    runComplete,
	}
}

func runComplete(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Of, Name, Argument, Value, Connection string
		Chosen                                []struct{ Name, Value string }
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
		chosen = append(chosen, a.Name, a.Value)
	}
	var known any
	if chosen != nil {
		known = mcp.Object("arguments", mcp.Object(chosen...))
	}
	ex, err := l.Session.Do(ctx, mcp.Request{Method: "completion/complete",
		Params: mcp.Object("ref", ref, "argument", mcp.Object("name", in.Argument, "value", in.Value), "context", known)})
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
	return ordered{"success", true, "connection", describe(l), "completion", ordered{"values", values, "raw", small(ex.Reply.Result)}, "metadata", timing{c.elapsed()}}, nil
}

func refusedCompletion(e *mcp.RPCError) *failure {
	d := details{"sent": true}
	tellRPC(d, e)
	f := &failure{Type: executionError, Message: "the server responded with " + e.Error(), Details: d, Suggestion: "check that the server declares the completions capability"}
	if e.Code == mcp.CodeInvalidParams {
		f.Type, f.Suggestion = invalidArguments, "use list_prompts and list_resource_templates to see what can be completed"
	}
	return f
}

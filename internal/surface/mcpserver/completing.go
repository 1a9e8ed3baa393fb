package mcpserver

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func complete() tool {
	return tool{
		name: "complete", title: "Complete an argument", open: true,
		doc: "Asks the connected server which values complete an argument of one of its prompts, or a variable of one of its resource templates.",
		input: closed("",
			need("of", choice("What the argument belongs to.", "prompt", "resource_template")),
			need("name", text("The name of the prompt, or the URI template.", maxText)),
			need("argument", text("The argument that is to be completed.", maxName)),
			need("value", text("What is typed of it so far; empty for nothing.", maxText)),
			may("chosen", list("Other arguments that have their value already.", 64, closed("A chosen argument.", need("name", text("Its name.", maxName)), need("value", text("Its value.", maxText))))),
			onConnection()),
		output: answers(connectionAnswer(), need("completion", record("The values on offer.", need("values", rows("", line(""))), need("raw", value("The result as the server sent it.")))), metadataAnswer()),
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
	f := &failure{Type: executionError, Message: "the server answers with " + e.Error(), Details: d, Suggestion: "does the server declare completions?"}
	if e.Code == mcp.CodeInvalidParams {
		f.Type, f.Suggestion = invalidArguments, "list_prompts and list_resource_templates show what can be completed"
	}
	return f
}

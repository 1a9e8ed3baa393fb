package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func validateArguments() tool {
	return tool{
		name: "validate_arguments", open: true,
		doc: "Checks arguments against the input schema without a call, and returns errors and corrections.",
		input: closed("", need("name", text("Name of the tool.", maxName)),
			need("arguments_json", text("Arguments as JSON text, validated exactly as written.", maxJSON)),
			onConnection()),
		run: runValidate,
	}
}

func runValidate(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Name, Connection string
		ArgumentsJSON    string `json:"arguments_json"`
	}](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	if !json.Valid([]byte(in.ArgumentsJSON)) {
		return nil, &failure{Type: invalidArguments, Message: "arguments_json is not JSON", Details: details{},
			Suggestion: "pass a JSON object in text form"}
	}
	definition, listed, err := c.findTool(ctx, l, in.Name)
	if err != nil {
		return nil, err
	}
	if !listed {
		return nil, &failure{Type: toolNotFound, Message: fmt.Sprintf("unknown tool %q: the server does not list it",
			in.Name), Details: details{"tool": in.Name}, Suggestion: "use list_tools to see the available tools"}
	}
	found, note := examineArguments(definition, json.RawMessage(in.ArgumentsJSON))
	answer := ordered{"success", true, "connection", reached(l), "valid", found.OK(), "violations", found.Violations,
		"cautions", found.Cautions, "fixes", found.Fixes}
	if note != "" {
		answer = append(answer, "note", note)
	}
	return append(answer, "metadata", timing{c.elapsed()}), nil
}

func examineArguments(definition, given json.RawMessage) (arguments.Examination, string) {
	input, _ := schema.Get(definition, "/inputSchema")
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		return arguments.Examine(mustCompile(`{}`), json.RawMessage(`{}`), given),
			"invalid input schema: " + err.Error()
	}
	return arguments.Examine(compiled, input, given), ""
}

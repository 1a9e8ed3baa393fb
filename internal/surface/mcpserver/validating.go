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
		name: "validate_arguments", title: "Validate arguments", open: true,
		doc: "Validates arguments against a tool's input schema without calling it, and returns all errors, each with its location and, if " +
			"available, a correction. Pass the arguments as JSON text, so that they are validated exactly as written.",
		input: closed("", need("name", text("The name of the tool, as returned by list_tools.", maxName)),
			need("arguments_json", text("The arguments, as a JSON object in text form.", maxJSON)), onConnection()),
		output: answers(connectionAnswer(), need("valid", flag("Whether the arguments can be sent.")),
			need("violations", rows("Violations of the schema.", record(""))), need("cautions", rows("Values that are allowed, but probably not intended.", record(""))),
			need("fixes", rows("Suggested corrections, as edits by JSON Pointer.", record(""))), may("note", line("Why the arguments could not be validated.")), metadataAnswer()),
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
		return nil, &failure{Type: invalidArguments, Message: "arguments_json is not JSON", Details: details{}, Suggestion: "pass a JSON object in text form"}
	}
	definition, listed, err := c.findTool(ctx, l, in.Name)
	if err != nil {
		return nil, err
	}
	if !listed {
		return nil, &failure{Type: toolNotFound, Message: fmt.Sprintf("unknown tool %q: the server does not list it", in.Name), Details: details{"tool": in.Name}, Suggestion: "use list_tools to see the available tools"}
	}
	found, note := judge(definition, json.RawMessage(in.ArgumentsJSON))
	answer := ordered{"success", true, "connection", describe(l), "valid", found.OK(), "violations", found.Violations, "cautions", found.Cautions, "fixes", found.Fixes}
	if note != "" {
		answer = append(answer, "note", note)
	}
	return append(answer, "metadata", timing{c.elapsed()}), nil
}

func judge(definition, given json.RawMessage) (arguments.Examination, string) {
	input, _ := schema.Get(definition, "/inputSchema")
	compiled, err := schema.Compile(input, nil)
	if err != nil {
		return arguments.Examine(mustCompile(`{}`), json.RawMessage(`{}`), given), "invalid input schema: " + err.Error()
	}
	return arguments.Examine(compiled, input, given), ""
}

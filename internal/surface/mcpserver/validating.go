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
		doc: "Holds arguments against the input schema of a tool without calling it, and returns every error at once, each with its place and, where " +
			"one is known, a correction. Give the arguments as JSON text, so that they are judged exactly as written.",
		input: closed("", need("name", text("The tool whose schema counts, as list_tools names it.", maxName)),
			need("arguments_json", text("The arguments as the text of a JSON object.", maxJSON)), onConnection()),
		output: answers(connectionAnswer(), need("valid", flag("Whether the arguments could be sent.")),
			need("violations", rows("Where they depart from the schema.", record(""))), need("cautions", rows("What is allowed, but likely not meant.", record(""))),
			need("fixes", rows("Corrections on offer, as edits by JSON Pointer.", record(""))), may("note", line("Why they could not be judged.")), metadataAnswer()),
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
		return nil, &failure{Type: invalidArguments, Message: "arguments_json is not JSON", Details: details{}, Suggestion: "give the text of a JSON object"}
	}
	definition, listed, err := c.findTool(ctx, l, in.Name)
	if err != nil {
		return nil, err
	}
	if !listed {
		return nil, &failure{Type: toolNotFound, Message: fmt.Sprintf("the server lists no tool %q", in.Name), Details: details{"tool": in.Name}, Suggestion: "list_tools shows what there is"}
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
		return arguments.Examine(mustCompile(`{}`), json.RawMessage(`{}`), given), "the tool's input schema cannot be used: " + err.Error()
	}
	return arguments.Examine(compiled, input, given), ""
}

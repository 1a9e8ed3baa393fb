package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A guide is a prompt that guides an assistant through a task.
type guide struct {
	name, title, doc string
	argument, about  string // the only argument, required
	text             func(value string) (string, error)
}

func guides() []guide {
	return []guide{
		{"test_server", "Test this server", "Guides you through a full test of an MCP server.", "url", "The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(testGuide, url), nil }},
		{"write_suite", "Write a test suite for this server", "Guides you through writing a test suite for the team's repository.", "url", "The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(suiteGuide, url, suiteURI), nil }},
		{"explain_finding", "Explain this finding", "Explains a finding and how to fix it.", "rule", "The ID of the rule, such as SCH-001.",
			func(rule string) (string, error) {
				doc, ok := workbench.ExplainRule(rule)
				if !ok {
					return "", &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: fmt.Sprintf("unknown rule %q", rule)}
				}
				return "Explain this finding to the developer of the server: what problem a model or a user would have, and how to fix the schema, " +
					"with the tool's own schema before and after.\n\n" + doc, nil
			}},
	}
}

const testGuide = `Test the MCP server %s with the tools of this server. Do not use curl or any other HTTP client.

1. connect_to_server. If it fails, report error.type, message and suggestion, and stop.
2. list_tools, list_resources, list_resource_templates and list_prompts. Report all entries with their exact names.
3. lint_schemas. Report findings by severity, each with its rule and location.
4. For each read-only tool: create arguments that match its schema, check them with validate_arguments, call it with call_tool, and
   compare the result with its description and output schema. Ask the user before you call a tool that modifies anything.
5. For one tool: call it with skip_validation with a missing argument, with a wrong one and with an extra one. A good server names the
   argument in its error.
6. Read one resource and get one prompt, if there are any. Read a URI that does not exist.
7. If a call returns pending, ask the user and reply with the tool answer.
8. get_transcript with since 0: report stderr and notices.
9. disconnect.

Report only what the responses contain, with durations. State what you did not test.`

const suiteGuide = `Write a suite of tests for the MCP server %s. The format is defined by the JSON Schema in the resource %s.

1. connect_to_server, then scaffold_suite: it returns a first suite with a call to each read-only tool.
2. list_tools. For each tool, derive tests from what its description promises: a typical call with the expected content of
   the response, a call with a missing or wrong argument that must fail (is_error: true), a boundary value.
3. Prefer expectations on meaning (contains, schema, target result.structuredContent…) to full snapshots if responses vary.
4. Use sequences with capture if a call needs a value from an earlier response. Ask the user before you add a call that modifies anything.
5. validate_suite, then run_suite. Fix the errors in the suite; report those in the server.
6. Show the suite as YAML, to save as mcptest.yaml. The user can run it with: mcptest run`

func (s *Server) addPrompts() {
	for _, g := range guides() {
		declared := &mcp.Prompt{Name: g.name, Title: g.title, Description: g.doc, Arguments: []*mcp.PromptArgument{{Name: g.argument, Description: g.about, Required: true}}}
		s.sdk.AddPrompt(declared, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			value, ok := req.Params.Arguments[g.argument]
			if !ok || value == "" {
				return nil, &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: g.argument + " is required"}
			}
			text, err := g.text(value)
			if err != nil {
				return nil, err
			}
			return &mcp.GetPromptResult{Description: g.doc, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
		})
	}
}

package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A guide is a prompt that leads an assistant through a piece of work.
type guide struct {
	name, title, doc string
	argument, about  string // the one argument, required
	text             func(value string) (string, error)
}

func guides() []guide {
	return []guide{
		{"test_server", "Test this server", "Leads through a full test of an MCP server.", "url", "The URL of the server, or its allowed name.",
			func(url string) (string, error) { return fmt.Sprintf(testGuide, url), nil }},
		{"write_suite", "Write a suite for this server", "Leads to a suite of tests that a team keeps in its repository.", "url", "The URL of the server, or its allowed name.",
			func(url string) (string, error) { return fmt.Sprintf(suiteGuide, url, suiteURI), nil }},
		{"explain_finding", "Explain this finding", "Explains a finding and how to mend it.", "rule", "The id of the rule, such as SCH-001.",
			func(rule string) (string, error) {
				doc, ok := workbench.ExplainRule(rule)
				if !ok {
					return "", &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: fmt.Sprintf("there is no rule %q", rule)}
				}
				return "Explain this finding to the developer of the server: what a model or a user would run into, and how to mend the schema, " +
					"with the tool's own schema before and after.\n\n" + doc, nil
			}},
	}
}

const testGuide = `Test the MCP server %s with the tools of this server. Use no curl and no other HTTP client.

1. connect_to_server. If it fails, report error.type, message and suggestion, and stop.
2. list_tools, list_resources, list_resource_templates and list_prompts. Report what there is with the exact names.
3. lint_schemas. Report findings by severity, each with its rule and place.
4. For each tool that only reads: make arguments by its schema, check them with validate_arguments, call it with call_tool, and
   compare the result with its description and output schema. Ask the user before you call a tool that changes something.
5. For one tool: call it with skip_validation and a missing, a wrong and a superfluous argument. A good server names the
   argument in its error.
6. Read one resource and get one prompt, if there are any. Read a URI that does not exist.
7. If a call answers with pending, ask the user and reply with the tool answer.
8. get_transcript with since 0: report stderr and notices.
9. disconnect.

Report only what the answers say, with durations. Say what you did not test.`

const suiteGuide = `Write a suite of tests for the MCP server %s. Its format is the JSON Schema in the resource %s.

1. connect_to_server, then scaffold_suite: it gives a first suite with a call of each tool that only reads.
2. list_tools. For each tool, think what its description promises, and add tests for that: a usual call with what must stand in
   the answer, a call with a missing or wrong argument that must fail (is_error: true), a boundary.
3. Prefer expectations on meaning (contains, schema, target result.structuredContent…) to whole snapshots where answers change.
4. Use sequences with capture where one call needs what another returned. Ask the user before you add a call that changes something.
5. validate_suite, then run_suite. Mend the suite where it is wrong; report where the server is.
6. Show the suite as YAML, to be kept as mcptest.yaml and run by: mcptest run`

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

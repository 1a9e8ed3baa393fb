package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A promptDef is a prompt that guides an assistant through a task.
type promptDef struct {
	name, title, doc string
	argument, about  string // the only argument, required
	text             func(value string) (string, error)
}

func guides() []promptDef {
	return []promptDef{
		{"test_server", "Test this server", "Guides you through a full test of an MCP server.", "url",
			"The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(testGuide, url), nil }},
		{"write_suite", "Write a test suite for this server",
			"Guides you through writing a test suite for the team's repository.", "url",
			"The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(suiteGuide, url), nil }},
		{"fix_finding", "Fix this finding", "Guides you from a finding of the last report to a verified fix.", "id",
			"The ID of the finding in the last report.",
			func(id string) (string, error) { return fmt.Sprintf(fixGuide, id), nil }},
		{"ready_to_publish", "Is this server ready to publish?",
			"Guides you through the checks before a release of a server.", "url",
			"The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(publishGuide, url), nil }},
		{"missing_tools", "Why does this host not show my tools?",
			"Guides you to the reason why a host drops tools of a server.", "url",
			"The URL of the server, or the name of an allowed server.",
			func(url string) (string, error) { return fmt.Sprintf(hostGuide, url), nil }},
		{"explain_finding", "Explain this finding", "Explains a finding and how to fix it.", "rule",
			"The ID of the rule, such as SCH-001.",
			func(rule string) (string, error) {
				doc, ok := engines.ExplainRule(rule)
				if !ok {
					return "", &jsonrpc.Error{Code: serve.CodeInvalidParams,
						Message: fmt.Sprintf("unknown rule %q", rule)}
				}
				return "Explain this finding to the developer of the server: what problem a model or a user would " +
					"have, and how to fix the schema, " +
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

const suiteGuide = `Write a suite of tests for the MCP server %s. suite_guide explains the format.

1. connect_to_server, then scaffold_suite: it returns a first suite with a call to each read-only tool.
2. list_tools. For each tool, derive tests from what its description promises: a typical call with the expected content of
   the response, a call with a missing or wrong argument that must fail (is_error: true), a boundary value.
3. Prefer expectations on meaning (contains, schema, target result.structuredContent…) to full snapshots if responses vary.
4. Use sequences with capture if a call needs a value from an earlier response. Ask the user before you add a call that modifies anything.
5. validate_suite, then run_suite. Fix the errors in the suite; report those in the server.
6. Show the suite as YAML, to save as mcptest.yaml. The user can run it with: mcptest run`

const fixGuide = `Fix finding %s of the last report.

1. show_finding with this id: read the evidence, the reason and the fix. get_frame shows a frame of the evidence.
2. Repeat the failing call with call_tool (skip_validation, if its arguments are invalid on purpose), and note the problems.
3. Change the code of the server. Do not change a test or a schema only to hide the finding.
4. restart: read in changes what is different in the tools.
5. Repeat the call. Then run the check of the report again: the finding must be gone, and no other may be new.
6. Report what was wrong, what you changed, and what you did not verify.`

const publishGuide = `Find out whether the MCP server %s is ready to be published.

1. connect_to_server, then check_server. Anything of severity error or critical must be fixed first; use show_finding for each.
2. Read not_tested: tools without readOnlyHint were not called. Ask the user which of them you may call, and call those with call_tool.
3. lint_schemas with host set to all: tools that a host drops or changes.
4. lock_server, and diff_server with the lock file of the last release, if there is one: breaking changes need a new major version.
5. run_suite with the suite of the project, if there is one.
6. Answer yes or no first. Then list what must be fixed, what should be fixed, and what was not tested.`

const hostGuide = `Find out why a host does not show tools of the MCP server %s. Ask the user which host it is.

1. connect_to_server. If it fails, the host fails for the same reason: report error.message and suggestion.
2. list_tools. If a tool is missing here, the server does not list it: look at problems and get_transcript.
3. lint_schemas with host set to the name of the host, or to all: findings of the family of the host say which tools it drops, and why.
4. check_server: hosts lists how many tools reach the model of each host.
5. Output on stdout that is not a message (problems of kind notice) makes strict hosts give up: it belongs on stderr.
6. Report the cause and the change to the server. If nothing explains it, say so, and give the command that the host must start.`

func (s *Server) addPrompts() {
	for _, g := range guides() {
		declared := &mcp.Prompt{Name: g.name, Title: g.title, Description: g.doc,
			Arguments: []*mcp.PromptArgument{{Name: g.argument, Description: g.about, Required: true}}}
		s.sdk.AddPrompt(declared, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			value, ok := req.Params.Arguments[g.argument]
			if !ok || value == "" {
				return nil, &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: g.argument + " is required"}
			}
			text, err := g.text(value)
			if err != nil {
				return nil, err
			}
			return &mcp.GetPromptResult{Description: g.doc,
				Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
		})
	}
}

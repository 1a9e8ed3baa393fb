package demo

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A tool is a tool of the clean server. Its handler gets arguments that the schema accepts.
type tool struct {
	name, title, description string
	input, output            string // JSON Schemas; output is empty for tools without structured content
	hints                    hints
	run                      func(ctx context.Context, c *call) (*mcp.CallToolResult, error)
}

// hints describe the effects of a call. The zero value is a tool that only computes.
type hints struct {
	changes bool // the call changes the state of the server
	varies  bool // two equal calls may have different results
	open    bool // the call reaches beyond the server: the user or a model responds
}

// A call is one call of a tool.
type call struct {
	*clean
	request   *mcp.CallToolRequest
	arguments json.RawMessage // an object, {} if the request had none
}

func (c *clean) addTools() {
	for _, group := range [][]tool{plainTools(), dataTools(), mediaTools(), inputTools(), changingTools()} {
		for _, t := range group {
			c.addTool(t)
		}
	}
}

func (c *clean) addTool(t tool) {
	no, open := false, t.hints.open
	declared := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: json.RawMessage(t.input),
		Annotations: &mcp.ToolAnnotations{
			Title: t.title, ReadOnlyHint: !t.hints.changes, IdempotentHint: !t.hints.varies, DestructiveHint: &no,
			OpenWorldHint: &open,
		},
	}
	if t.output != "" {
		declared.OutputSchema = json.RawMessage(t.output)
	}
	// compiled by the first call: starting is cheap
	valid := sync.OnceValue(func() *validator { return newValidator(t.input) })
	c.server.AddTool(declared, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		arguments := req.Params.Arguments
		if arguments == nil {
			arguments = json.RawMessage("{}")
		}
		if reason := valid().check(arguments); reason != "" {
			return failed("Invalid arguments: " + reason), nil
		}
		return t.run(ctx, &call{clean: c, request: req, arguments: arguments})
	})
}

// arguments decodes validated arguments. Integers are decoded into float64, because 1.0 and 1e2 are also
// integers.
func arguments[T any](c *call) T {
	var v T
	if err := json.Unmarshal(c.arguments, &v); err != nil {
		panic(err) // the schema and the type disagree
	}
	return v
}

// textOnly returns a result with one text block.
func textOnly(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// failed returns the result of a failed call.
func failed(text string) *mcp.CallToolResult {
	r := textOnly(text)
	r.IsError = true
	return r
}

// structured returns a result with structured content, and the same as text for clients that do not support it.
func structured(v any) *mcp.CallToolResult {
	text := serve.Encode(v)
	r := textOnly(string(text))
	r.StructuredContent = json.RawMessage(text)
	return r
}

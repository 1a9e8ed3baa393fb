package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// result calls a tool and returns the line about its whole result.
func (c *client) result(ctx context.Context, call [2]any) map[string]any {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	op, _ := call[0].(string)
	r, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: op, Arguments: call[1]})
	if err != nil {
		return map[string]any{"op": op, "error": err.Error()}
	}
	line := map[string]any{"op": op, "failed": r.IsError, "structured": r.StructuredContent}
	if text, ok := r.Content[0].(*mcp.TextContent); ok {
		line["got"] = text.Text
	}
	return line
}

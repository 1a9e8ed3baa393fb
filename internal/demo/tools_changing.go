package demo

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// changingTools change the state of the server, in memory.
func changingTools() []tool {
	return []tool{
		{
			name: "write_note", title: "Write the note", hints: hints{changes: true},
			description: "Replaces the text of the resource " + noteURI + " and notifies its subscribers.",
			input:       closed(`"text":{"type":"string","minLength":1,"maxLength":10000,"description":"The new text."}`, `"text"`),
			run:         writeNote,
		},
		{
			name: "flash_tool", title: "Show a tool temporarily", hints: hints{changes: true},
			description: "Adds the tool flashed to the list for a while, then removes it. The list changes twice.",
			input: closed(`"milliseconds":{"type":"integer","minimum":50,"maximum":5000,`+
				`"description":"How long the tool is listed."}`, `"milliseconds"`),
			run: flashTool,
		},
	}
}

func writeNote(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	c.mu.Lock()
	c.note = arguments[struct{ Text string }](c).Text
	c.mu.Unlock()
	if err := c.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: noteURI}); err != nil {
		return nil, err
	}
	return textOnly("The note was saved."), nil
}

func flashTool(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	c.addTool(tool{
		name: "flashed", title: "Flashed", input: noProperties,
		description: "Says hello. This tool is listed only for a moment.",
		run: func(context.Context, *call) (*mcp.CallToolResult, error) {
			return textOnly("Hello for a moment."),
				nil
		},
	})
	defer c.server.RemoveTools("flashed")
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Duration(arguments[struct{ Milliseconds float64 }](c).Milliseconds) * time.Millisecond):
	}
	return textOnly("The tool was added and removed."), nil
}

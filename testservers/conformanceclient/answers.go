package main

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

func noRoots(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"roots":[]}`), nil }

func sampleText(context.Context, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"fine"},"model":"none"}`), nil
}

// acceptDefaults answers like a user who submits a form unchanged: every field has its default, and a checkbox without
// a default is checked.
func acceptDefaults(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
	var form struct {
		RequestedSchema struct {
			Properties map[string]struct {
				Type    string
				Default json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(params, &form); err != nil {
		return nil, &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: err.Error()}
	}
	content := map[string]json.RawMessage{}
	for name, field := range form.RequestedSchema.Properties {
		switch {
		case field.Default != nil:
			content[name] = field.Default
		case field.Type == "boolean":
			content[name] = json.RawMessage(`true`)
		}
	}
	return mcp.Object("action", "accept", "content", content), nil
}

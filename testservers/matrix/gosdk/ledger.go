package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// runLedger serves tools that write the key of each executed call to a file: note at once, steps with progress, and ask
// after the client has repeated the key.
func runLedger(ctx context.Context, file string) error {
	ledger, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	executed := func(tool, key string) (string, error) {
		line := tool + " " + key
		_, err := ledger.WriteString(line + "\n") // one write, so that lines of other processes stay whole
		return line, err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "ledger", Version: "1.0.0"}, nil)
	addTool(s, "note", func(_ context.Context, _ *mcp.CallToolRequest, in keyed) (string, error) {
		return executed("note", in.Key)
	})
	addTool(s, "steps", func(ctx context.Context, r *mcp.CallToolRequest, in keyed) (string, error) {
		for step := range 3 {
			progress := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(),
				Progress: float64(step), Message: in.Key}
			if progress.ProgressToken == nil {
				break
			}
			if err := r.Session.NotifyProgress(ctx, progress); err != nil {
				return "", err
			}
		}
		return executed("steps", in.Key)
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask"},
		func(_ context.Context, r *mcp.CallToolRequest, in keyed) (*mcp.CallToolResult, any, error) {
			answer, ok := r.Params.InputResponses["key"].(*mcp.ElicitResult)
			if !ok {
				question := &mcp.ElicitParams{Mode: "form", Message: keyQuestion + in.Key, RequestedSchema: map[string]any{
					"type": "object", "properties": map[string]any{"key": map[string]any{"type": "string"}}}}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"key": question}}, nil, nil
			}
			if answer.Content["key"] != in.Key {
				return nil, nil, fmt.Errorf("crossed: %v is the answer for %s", answer.Content["key"], in.Key)
			}
			line, err := executed("ask", in.Key)
			return textResult(line), nil, err
		})
	return s.Run(ctx, &mcp.StdioTransport{})
}

const keyQuestion = "Which key? "

// repeated answers the question of ask.
func repeated(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return &mcp.ElicitResult{Action: "accept",
		Content: map[string]any{"key": strings.TrimPrefix(r.Params.Message, keyQuestion)}}, nil
}

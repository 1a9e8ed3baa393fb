//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and the suite asks for them

package conformanceserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// talkingTools send notifications before they respond.
func talkingTools() []tool {
	return []tool{
		{name: "test_tool_with_logging", description: "Logs three messages.",
			run: logging("started", "working", "finished")},
		{name: "test_logging_tool", description: "Logs a message, which a client receives only if it set the level.",
			run: logging("called")},
		{name: "test_tool_with_progress", description: "Reports its progress in three steps.", run: progressing},
		{name: "test_streaming_elicitation", description: "Reports its progress without elicitation.",
			run: progressing},
		{name: "test_reconnection",
			description: "Closes its stream before the response, which is sent on the next one.", run: reconnecting},
		{name: "test_missing_capability", description: "Requires a client with sampling.", run: needsSampling},
	}
}

func logging(messages ...string) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, m := range messages {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "fixture",
				Data: m}); err != nil {
				return nil, err
			}
		}
		return said("logged all messages")
	}
}

func progressing(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	token := r.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		if token == nil {
			break
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100,
			Message: fmt.Sprintf("%.0f of 100", done)}
		if err := r.Session.NotifyProgress(ctx, p); err != nil {
			return nil, err
		}
	}
	return said("arrived")
}

func reconnecting(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if r.Extra != nil && r.Extra.CloseSSEStream != nil {
		r.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{})
	}
	return said("response after the stream was closed")
}

func needsSampling(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if can := r.ClientCapabilities(); can != nil && can.Sampling != nil {
		return said("the client supports sampling")
	}
	return nil, &jsonrpc.Error{Code: serve.CodeMissingCapability, Message: "the client has not declared sampling",
		Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`)}
}

// changingTools always change a list.
func changingTools(server *mcp.Server) []tool {
	return []tool{
		{name: "test_trigger_tool_change", description: "Changes the list of tools.",
			run: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				tool{name: "test_changed", description: "Was added by test_trigger_tool_change.",
					run: always(text("here"))}.addTo(server)
				return said("changed")
			}},
		{name: "test_trigger_prompt_change", description: "Changes the list of prompts.",
			run: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				server.AddPrompt(&mcp.Prompt{Name: "test_changed",
					Description: "Was added by test_trigger_prompt_change."},
					prompt(text("here")))
				return said("changed")
			}},
	}
}

package hostrun

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// chatAPI is the Chat Completions API of OpenAI, which many providers offer.
var chatAPI = &API{
	path:  func(path string) bool { return strings.HasSuffix(path, "/chat/completions") },
	other: `{}`,
	tools: func(body json.RawMessage) []hosts.Tool {
		var request struct {
			Tools []struct {
				Function struct {
					Name, Description string
					Parameters        json.RawMessage
				}
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []hosts.Tool
		for _, t := range request.Tools {
			all = append(all, hosts.Tool{Name: t.Function.Name, Description: t.Function.Description,
				Schema: t.Function.Parameters})
		}
		return all
	},
	results: func(body json.RawMessage) []Result {
		var request struct {
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []Result
		for _, m := range request.Messages {
			if m.Role == "tool" {
				all = append(all, Result{Text: readable(m.Content), Raw: m.Content})
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, _ *http.Request, body json.RawMessage, call *toolCall, said string) {
		var request struct {
			Stream bool
			Model  string
		}
		_ = json.Unmarshal(body, &request)
		message, reason := map[string]any{"role": "assistant", "content": said}, "stop"
		if call != nil {
			message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"index": 0,
				"id": call.id, "type": "function",
				"function": map[string]any{"name": call.name, "arguments": string(call.arguments)}}}}
			reason = "tool_calls"
		}
		chunk := func(kind, field string, value any, end any) string {
			out := map[string]any{"id": "chat_1", "object": kind, "created": 1, "model": request.Model,
				"choices": []any{map[string]any{"index": 0, field: value, "finish_reason": end}}}
			if end != nil { // as APIs do: Continue reads the last chunk with it alone
				out["usage"] = map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
			}
			return text(out)
		}
		if !request.Stream {
			writeJSON(w, chunk("chat.completion", "message", message, reason))
			return
		}
		writeEvents(w, [2]string{"", chunk("chat.completion.chunk", "delta", message, nil)},
			[2]string{"", chunk("chat.completion.chunk", "delta", map[string]any{}, reason)}, [2]string{"", "[DONE]"})
	},
}

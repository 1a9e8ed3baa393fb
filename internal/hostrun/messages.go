package hostrun

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// messagesAPI is the Messages API of Anthropic.
var messagesAPI = &API{
	path:  func(path string) bool { return strings.HasSuffix(path, "/v1/messages") },
	other: `{"input_tokens":1}`,
	tools: func(body json.RawMessage) []hosts.Tool {
		var request struct {
			Tools []struct {
				Name, Description string
				Schema            json.RawMessage `json:"input_schema"`
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []hosts.Tool
		for _, t := range request.Tools {
			all = append(all, hosts.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
		return all
	},
	results: func(body json.RawMessage) []Result {
		var request struct {
			Messages []struct{ Content json.RawMessage }
		}
		_ = json.Unmarshal(body, &request)
		var all []Result
		for _, m := range request.Messages {
			var parts []struct {
				Type    string
				Content json.RawMessage
			}
			_ = json.Unmarshal(m.Content, &parts) // a string has no results
			for _, p := range parts {
				if p.Type == "tool_result" {
					all = append(all, Result{Text: readable(p.Content), Raw: p.Content, Found: references(p.Content)})
				}
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
		block, empty, reason := map[string]any{"type": "text", "text": said}, map[string]any{"type": "text", "text": ""},
			"end_turn"
		delta := map[string]any{"type": "text_delta", "text": said}
		if call != nil {
			block = map[string]any{"type": "tool_use", "id": "toolu_" + call.id, "name": call.name,
				"input": call.arguments}
			empty = map[string]any{"type": "tool_use", "id": "toolu_" + call.id, "name": call.name,
				"input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta", "partial_json": string(call.arguments)}
			reason = "tool_use"
		}
		message := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": request.Model,
			"content": []any{block}, "stop_reason": reason, "stop_sequence": nil,
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 1}}
		if !request.Stream {
			writeJSON(w, text(message))
			return
		}
		message["content"], message["stop_reason"] = []any{}, nil
		writeEvents(w,
			[2]string{"message_start", text(map[string]any{"type": "message_start", "message": message})},
			[2]string{"content_block_start", text(map[string]any{"type": "content_block_start", "index": 0,
				"content_block": empty})},
			[2]string{"content_block_delta", text(map[string]any{"type": "content_block_delta", "index": 0,
				"delta": delta})},
			[2]string{"content_block_stop", text(map[string]any{"type": "content_block_stop", "index": 0})},
			[2]string{"message_delta", text(map[string]any{"type": "message_delta",
				"delta": map[string]any{"stop_reason": reason, "stop_sequence": nil},
				"usage": map[string]any{"output_tokens": 1}})},
			[2]string{"message_stop", text(map[string]any{"type": "message_stop"})})
	},
}

// references returns the tools that a search found.
func references(content json.RawMessage) []hosts.Tool {
	var parts []struct {
		Type string
		Name string `json:"tool_name"`
	}
	_ = json.Unmarshal(content, &parts)
	var found []hosts.Tool
	for _, p := range parts {
		if p.Type == "tool_reference" {
			found = append(found, hosts.Tool{Name: p.Name})
		}
	}
	return found
}

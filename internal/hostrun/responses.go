package hostrun

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// responsesAPI is the Responses API of OpenAI.
var responsesAPI = &API{
	path:  func(path string) bool { return strings.HasSuffix(path, "/responses") },
	other: `{}`,
	tools: func(body json.RawMessage) []hosts.Tool {
		var request struct{ Tools []responsesTool }
		_ = json.Unmarshal(body, &request)
		return flatten(request.Tools)
	},
	results: func(body json.RawMessage) []Result {
		var request struct {
			Input []struct {
				Type   string
				Output json.RawMessage
				Tools  []responsesTool
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []Result
		for _, item := range request.Input {
			if item.Type == "function_call_output" {
				all = append(all, Result{Text: readable(item.Output), Raw: item.Output})
			}
			if item.Type == "tool_search_output" {
				all = append(all, Result{Found: flatten(item.Tools)})
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, _ *http.Request, _ json.RawMessage, call *toolCall, said string) {
		item := map[string]any{"type": "message", "role": "assistant", "id": "msg_1",
			"content": []any{map[string]any{"type": "output_text", "text": said, "annotations": []any{}}}}
		if call != nil {
			item = map[string]any{"type": "function_call", "id": "fc_" + call.id, "call_id": call.id, "name": call.name,
				"arguments": string(call.arguments)}
			if call.namespace != "" {
				item["namespace"] = call.namespace
			} else if call.name == searchType {
				item = map[string]any{"type": "tool_search_call", "call_id": call.id, "status": "completed",
					"execution": "client", "arguments": call.arguments}
			}
		}
		response := map[string]any{"id": "resp_1", "object": "response", "status": "completed", "output": []any{item},
			"usage": map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}
		writeEvents(w,
			[2]string{"response.created", text(map[string]any{"type": "response.created", "response": response})},
			[2]string{"response.output_item.done", text(map[string]any{"type": "response.output_item.done",
				"output_index": 0, "item": item})},
			[2]string{"response.completed", text(map[string]any{"type": "response.completed", "response": response})})
	},
}

// searchType is the type of the tool with which the model searches for tools. It has no name.
const searchType = "tool_search"

// A responsesTool is a tool of a request, or a namespace of tools.
type responsesTool struct {
	Type, Name, Description string
	Parameters              json.RawMessage
	Tools                   []struct {
		Name, Description string
		Parameters        json.RawMessage
	}
}

// flatten returns the tools in their order.
func flatten(list []responsesTool) []hosts.Tool {
	var all []hosts.Tool
	for _, t := range list {
		switch t.Type {
		case "function":
			all = append(all, hosts.Tool{Name: t.Name, Description: t.Description, Schema: t.Parameters})
		case searchType:
			all = append(all, hosts.Tool{Name: searchType})
		case "namespace":
			for _, inner := range t.Tools {
				all = append(all, hosts.Tool{Namespace: t.Name, Name: inner.Name, Description: inner.Description,
					Schema: inner.Parameters})
			}
		}
	}
	return all
}

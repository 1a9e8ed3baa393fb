package hostrun

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// generateAPI is the Gemini API: generateContent and streamGenerateContent.
var generateAPI = &API{
	path:  func(path string) bool { return strings.HasSuffix(strings.ToLower(path), "generatecontent") },
	other: `{"totalTokens":1}`,
	tools: func(body json.RawMessage) []hosts.Tool {
		var request struct {
			Tools []struct {
				FunctionDeclarations []struct {
					Name, Description    string
					Parameters           json.RawMessage
					ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
				} `json:"functionDeclarations"`
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []hosts.Tool
		for _, group := range request.Tools {
			for _, f := range group.FunctionDeclarations {
				schema := f.ParametersJSONSchema
				if schema == nil {
					schema = f.Parameters
				}
				all = append(all, hosts.Tool{Name: f.Name, Description: f.Description, Schema: schema})
			}
		}
		return all
	},
	results: func(body json.RawMessage) []Result {
		var request struct {
			Contents []struct {
				Parts []struct {
					FunctionResponse *struct{ Response json.RawMessage } `json:"functionResponse"`
				}
			}
		}
		_ = json.Unmarshal(body, &request)
		var all []Result
		for _, content := range request.Contents {
			for _, part := range content.Parts {
				if r := part.FunctionResponse; r != nil {
					var response struct{ Output, Error string }
					_ = json.Unmarshal(r.Response, &response)
					all = append(all, Result{Text: cmp.Or(response.Output, response.Error, string(r.Response)),
						Raw: r.Response})
				}
			}
		}
		return all
	},
	answer: func(w http.ResponseWriter, r *http.Request, _ json.RawMessage, call *toolCall, said string) {
		part := map[string]any{"text": said}
		if call != nil {
			part = map[string]any{"functionCall": map[string]any{"id": call.id, "name": call.name,
				"args": call.arguments}}
		}
		response := text(map[string]any{
			"candidates": []any{map[string]any{"index": 0, "finishReason": "STOP",
				"content": map[string]any{"role": "model", "parts": []any{part}}}},
			"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		})
		if strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
			writeEvents(w, [2]string{"", response})
			return
		}
		writeJSON(w, response)
	},
}

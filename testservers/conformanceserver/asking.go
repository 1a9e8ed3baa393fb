//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and the suite asks for them

package conformanceserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askingTools send requests to the client, which only revisions up to 2025-11-25 support.
func askingTools() []tool {
	return []tool{
		{name: "test_sampling", description: "Has the client's model answer a prompt.",
			input: `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`, run: sample},
		{name: "test_elicitation", description: "Asks the user for a name.",
			input: `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`,
			run: func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return elicit(ctx, r, argument(r, "message"),
					`{"type":"object","properties":{"username":{"type":"string","description":"A name."},`+
						`"email":{"type":"string","description":"An address."}},"required":["username","email"]}`)
			}},
		{name: "test_elicitation_sep1034_defaults", description: "Asks with a form that has defaults.",
			run: func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return elicit(ctx, r, "Please look at the defaults.", `{"type":"object","properties":{`+
					`"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},`+
					`"score":{"type":"number","default":95.5},`+
					`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},`+
					`"verified":{"type":"boolean","default":true}}}`)
			}},
		{name: "test_elicitation_sep1330_enums", description: "Asks with a form that has every kind of choice.",
			run: func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return elicit(ctx, r, "Please choose.", choices)
			}},
	}
}

// choices are single and multiple choices, with and without titles, and with titles in the old format.
const choices = `{"type":"object","properties":{
"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`

func sample(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, err := r.Session.CreateMessage(ctx, question(argument(r, "prompt")))
	if err != nil {
		return nil, err
	}
	if block, ok := answer.Content.(*mcp.TextContent); ok {
		return said("LLM response: " + block.Text)
	}
	return said("LLM response: no text")
}

// question is a sampling request for a short text.
func question(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100,
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: text(prompt)}}}
}

func elicit(ctx context.Context, r *mcp.CallToolRequest, message, form string) (*mcp.CallToolResult, error) {
	answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(form)})
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(answer.Content)
	if err != nil {
		return nil, err
	}
	return said(fmt.Sprintf("User response: action=%s, content=%s", answer.Action, content))
}

// argument returns a string argument of a call, or "".
func argument(r *mcp.CallToolRequest, name string) string {
	var all map[string]json.RawMessage
	var s string
	if json.Unmarshal(r.Params.Arguments, &all) == nil {
		_ = json.Unmarshal(all[name], &s)
	}
	return s
}

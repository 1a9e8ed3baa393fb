package conformanceserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool is a fixture.
type tool struct {
	name, description string
	input             string // JSON Schema; empty for a tool without arguments
	run               func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error)
}

func (t tool) addTo(server *mcp.Server) {
	input := t.input
	if input == "" {
		input = `{"type":"object","additionalProperties":false}`
	}
	server.AddTool(&mcp.Tool{Name: t.name, Description: t.description, InputSchema: json.RawMessage(input)}, t.run)
}

// contentTools return one kind of content each.
func contentTools() []tool {
	embedded := func(uri string) mcp.Content {
		return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain",
			Text: "An embedded text."}}
	}
	return []tool{
		{name: "test_simple_text", description: "Returns a text.",
			run: always(text("This is a simple text response for testing."))},
		{name: "test_image_content", description: "Returns a picture.", run: always(picture())},
		{name: "test_audio_content", description: "Returns a sound.",
			run: always(&mcp.AudioContent{Data: silence(), MIMEType: "audio/wav"})},
		{name: "test_embedded_resource", description: "Returns a resource inside its result.",
			run: always(embedded("test://embedded-resource"))},
		{name: "test_multiple_content_types", description: "Returns a text, a picture and a resource.",
			run: always(text("Several kinds of content:"), picture(), embedded("test://mixed-content-resource"))},
		{name: "test_error_handling", description: "Fails.",
			run: func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return nil, errors.New("this tool fails on purpose")
			}},
		{name: "json_schema_2020_12_tool", description: "Has a schema that uses what its dialect offers.",
			input: richSchema, run: always(text("done"))},
		{name: "test_x_mcp_header", description: "Has an argument that is repeated in a header.",
			input: `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},` +
				`"level":{"type":"integer"}}}`, run: always(text("done"))},
	}
}

// richSchema has the keywords that the suite checks.
const richSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`

// always is a tool that returns the same result for each call.
func always(content ...mcp.Content) func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}

func text(s string) mcp.Content { return &mcp.TextContent{Text: s} }

func said(s string) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{text(s)}}, nil
}

func picture() mcp.Content { return &mcp.ImageContent{Data: pixel(), MIMEType: "image/png"} }

// pixel is a PNG of one transparent pixel.
func pixel() []byte {
	return decoded("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")
}

// silence is a WAV file without samples.
func silence() []byte { return decoded("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=") }

func decoded(s string) []byte {
	data, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return data
}

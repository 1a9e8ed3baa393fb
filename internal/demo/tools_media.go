package demo

import (
	"context"
	"image/color"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mediaTools return every kind of content.
func mediaTools() []tool {
	return []tool{
		{
			name: "image", title: "Image",
			description: "Returns a small PNG square of the given color.",
			input: closed(`"color":{"type":"string","enum":["red","green","blue"],"description":"The color of `+
				`the square."}`, `"color"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				data := square(colors()[arguments[struct{ Color string }](c).Color])
				return contentResult(&mcp.ImageContent{Data: data, MIMEType: "image/png"}), nil
			},
		},
		{
			name: "audio", title: "Audio",
			description: "Returns a short tone as a WAV file.",
			input: closed(`"hertz":{"type":"integer","minimum":100,"maximum":3000,"description":"The frequency of `+
				`the tone."},`+
				`"milliseconds":{"type":"integer","minimum":10,"maximum":1000,"description":"The duration of the `+
				`tone (default: 200)."}`, `"hertz"`),
			run: audio,
		},
		{
			name: "link", title: "Resource link",
			description: "Returns a link to a resource of this server, without its content.",
			input:       closed(nameProperty, `"name"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				r := samples()[arguments[struct{ Name string }](c).Name]
				return contentResult(&mcp.ResourceLink{URI: r.uri, Name: r.name, Title: r.title,
					Description: r.description,
					MIMEType:    r.mime}), nil
			},
		},
		{
			name: "embed", title: "Embedded resource",
			description: "Returns a resource of this server with its content.",
			input:       closed(nameProperty, `"name"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				r := samples()[arguments[struct{ Name string }](c).Name]
				return contentResult(&mcp.EmbeddedResource{Resource: r.contents()}), nil
			},
		},
		{
			name: "mixed", title: "Mixed content",
			description: "Returns text for the user, text for the assistant and an image, each marked for its audience.",
			input:       noProperties,
			run: func(context.Context, *call) (*mcp.CallToolResult, error) {
				return contentResult(
					&mcp.TextContent{Text: "Here is the image.",
						Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 1}},
					&mcp.TextContent{Text: "The image is a blue square.",
						Annotations: &mcp.Annotations{Audience: []mcp.Role{"assistant"}, Priority: 0.5}},
					&mcp.ImageContent{Data: square(colors()["blue"]), MIMEType: "image/png"},
				), nil
			},
		},
	}
}

const nameProperty = `"name":{"type":"string","enum":["planets","square","welcome"],"description":"The resource to ` +
	`return."}`

func colors() map[string]color.Color {
	return map[string]color.Color{
		"red": color.RGBA{200, 40, 40, 255}, "green": color.RGBA{40, 160, 70, 255},
		"blue": color.RGBA{40, 80, 200, 255},
	}
}

func audio(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	a := arguments[struct{ Hertz, Milliseconds float64 }](c)
	if a.Milliseconds == 0 {
		a.Milliseconds = 200
	}
	return contentResult(&mcp.AudioContent{Data: tone(a.Hertz, int(a.Milliseconds)), MIMEType: "audio/wav"}), nil
}

// contentResult returns a result with the given content.
func contentResult(content ...mcp.Content) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: content}
}

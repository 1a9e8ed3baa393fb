package demo

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A prompt is a prompt of the clean server. Its handler gets all required arguments and no unknown ones.
type prompt struct {
	name, title, description string
	arguments                []*mcp.PromptArgument
	messages                 func(arguments map[string]string) []*mcp.PromptMessage
}

func prompts() []prompt {
	return []prompt{
		{name: "introduce", title: "Introduce", description: "Asks what this server can do.",
			messages: func(map[string]string) []*mcp.PromptMessage {
				return []*mcp.PromptMessage{user(&mcp.TextContent{Text: "What can this server do? Try one of its tools."})}
			}},
		{name: "greet", title: "Greet", description: "Asks for a welcome message for someone.",
			arguments: []*mcp.PromptArgument{
				{Name: "name", Title: "Name", Description: "Who to greet.", Required: true},
				{Name: "tone", Title: "Tone", Description: "The style of the message: warm, formal or funny."}},
			messages: greet},
		{name: "describe_planet", title: "Describe a planet",
			description: "Asks for a description of a planet, with a fact as a starting point.",
			arguments: []*mcp.PromptArgument{{Name: "planet", Title: "Planet", Description: "The name of the planet.",
				Required: true}},
			messages: func(a map[string]string) []*mcp.PromptMessage {
				fact := &mcp.ResourceContents{URI: "demo://planets", MIMEType: "application/json",
					Text: string(serve.Encode(planets()))}
				return []*mcp.PromptMessage{
					user(&mcp.TextContent{Text: "Describe " + a["planet"] + " in three sentences."}),
					user(&mcp.EmbeddedResource{Resource: fact})}
			}},
		{name: "describe_picture", title: "Describe an image", description: "Shows an image and asks what it shows.",
			messages: func(map[string]string) []*mcp.PromptMessage {
				return []*mcp.PromptMessage{
					user(&mcp.ImageContent{Data: square(colors()["green"]), MIMEType: "image/png"}),
					user(&mcp.TextContent{Text: "What does this image show?"})}
			}},
		{name: "visit", title: "Plan a visit", description: "Asks for a plan to visit a city in a country.",
			arguments: []*mcp.PromptArgument{
				{Name: "country", Title: "Country", Description: "The country.", Required: true},
				{Name: "city", Title: "City", Description: "A city in that country.", Required: true}},
			messages: func(a map[string]string) []*mcp.PromptMessage {
				return []*mcp.PromptMessage{user(&mcp.TextContent{Text: "Plan a day in " + a["city"] + ", " +
					a["country"] + "."})}
			}},
		{name: "continue", title: "Continue a conversation",
			description: "Returns a conversation of two turns to continue.",
			messages: func(map[string]string) []*mcp.PromptMessage {
				return []*mcp.PromptMessage{
					user(&mcp.TextContent{Text: "Name a color."}),
					{Role: "assistant", Content: &mcp.TextContent{Text: "Blue."}},
					user(&mcp.TextContent{Text: "And another one."})}
			}},
	}
}

func user(content mcp.Content) *mcp.PromptMessage {
	return &mcp.PromptMessage{Role: "user", Content: content}
}

func greet(a map[string]string) []*mcp.PromptMessage {
	text := "Write a welcome message for " + a["name"] + "."
	if a["tone"] != "" {
		text = "Write a " + a["tone"] + " welcome message for " + a["name"] + "."
	}
	return []*mcp.PromptMessage{user(&mcp.TextContent{Text: text})}
}

func addPrompts(s *mcp.Server) {
	for _, p := range prompts() {
		s.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: p.arguments},
			func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				if err := p.check(req.Params.Arguments); err != nil {
					return nil, err
				}
				return &mcp.GetPromptResult{Description: p.description, Messages: p.messages(req.Params.Arguments)}, nil
			})
	}
}

// check rejects missing and unknown arguments.
func (p prompt) check(given map[string]string) error {
	for _, a := range p.arguments {
		if a.Required && strings.TrimSpace(given[a.Name]) == "" {
			return &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: "argument " + a.Name + " is required"}
		}
	}
	for name := range given {
		if !slices.ContainsFunc(p.arguments, func(a *mcp.PromptArgument) bool { return a.Name == name }) {
			return &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: "unknown argument " + name}
		}
	}
	return nil
}

package conformanceserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "Has no arguments."},
		prompt(text("This is a simple prompt for testing.")))
	server.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "Shows a picture."},
		prompt(picture(), text("What is on this picture?")))
	server.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "Has two arguments.",
		Arguments: []*mcp.PromptArgument{
			{Name: "arg1", Description: "The first.", Required: true},
			{Name: "arg2", Description: "The second.", Required: true}}}, twoArguments)
	server.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "Holds a resource.",
		Arguments: []*mcp.PromptArgument{
			{Name: "resourceUri", Description: "The address of the resource.", Required: true}}}, withResource)
	server.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt",
		Description: "Asks the user for a context."}, withContext)
}

// prompt is the handler of a fixed prompt.
func prompt(blocks ...mcp.Content) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(blocks...), nil
	}
}

func messages(blocks ...mcp.Content) *mcp.GetPromptResult {
	r := &mcp.GetPromptResult{}
	for _, b := range blocks {
		r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: b})
	}
	return r
}

func twoArguments(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	a := r.Params.Arguments
	return messages(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]))), nil
}

func withResource(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	resource := &mcp.ResourceContents{URI: r.Params.Arguments["resourceUri"], MIMEType: "text/plain",
		Text: "An embedded text."}
	return messages(&mcp.EmbeddedResource{Resource: resource}, text("Please read this resource.")), nil
}

func withContext(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	if given, ok := filled(r.Params.InputResponses, "user_context", "context"); ok {
		return messages(text(fmt.Sprintf("The context is %v.", given))), nil
	}
	return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{
		"user_context": form("What is the context?",
			`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`)}}, nil
}

package requests

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A PromptInput is the input of PromptsGet.
type PromptInput struct {
	Name string   `json:"name" cli:"arg" jsonschema:"the prompt to get"`
	Arg  []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"argument of the prompt; always a string"`
	workbench.Connection
	Save string `json:"save,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"save binary content to files in DIR"`
}

// PromptsGet gets a prompt's messages.
var PromptsGet = workbench.Op[PromptInput, *Response]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "prompts get", Parent: &prompts, Doc: "Get a prompt's messages", Page: true,
	Example: "mcptest prompts get greet --arg name=Ada demo",
	Run: func(ctx context.Context, w *workbench.Workbench, in *PromptInput) (*Response, error) {
		arguments, err := textArguments(in.Arg)
		if err != nil {
			return nil, err
		}
		a, err := callOnce(ctx, w, &in.Connection, in.Save,
			calls.Call{Method: calls.Prompt, Name: in.Name, Arguments: arguments})
		if err != nil || a.refused() {
			return a.advise("run mcptest prompts list to see the prompts and their arguments"), err
		}
		items, _ := elementsAt(a.Reply.Result, "/messages")
		for _, item := range items {
			block, _ := schema.Get(item, "/content")
			a.saved.block(block)
		}
		return a, nil
	},
	Text: func(out io.Writer, a *Response) error {
		t := workbench.NewText(out)
		items, _ := elementsAt(a.Reply.Result, "/messages")
		for _, item := range items {
			t.Line(t.Bold("%s:", schema.TextAt(item, "/role")))
			block, _ := schema.Get(item, "/content")
			writeBlock(t, block, a.saved)
		}
		a.writeRemarks(t)
		return t.Err
	},
}

// textArguments builds an object of strings from K=V pairs; without any it is nil, so that none are sent.
func textArguments(pairs []string) (json.RawMessage, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var members []any
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, &workbench.UsageError{Message: "argument " + pair + " has no value", Hint: "use NAME=VALUE"}
		}
		members = append(members, key, value)
	}
	return mcp.Object(members...), nil
}

package requests

import (
	"context"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A CompleteInput is the input of Complete.
type CompleteInput struct {
	workbench.Connection
	Prompt   string   `json:"prompt,omitempty" placeholder:"NAME" jsonschema:"prompt whose argument to complete"`
	Template string   `json:"template,omitempty" placeholder:"URI" jsonschema:"resource template whose variable to complete"`
	Arg      []string `json:"arg" placeholder:"K=V" jsonschema:"argument to complete and its partial value"`
	Context  []string `json:"context,omitempty" placeholder:"K=V" jsonschema:"argument that already has its value"`
}

// Complete requests completion values for an argument.
var Complete = workbench.Op[CompleteInput, *Response]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "complete", Section: workbench.Explore, Order: 50,
	Doc:     "Complete an argument of a prompt or a resource template",
	Page:    true,
	Example: "mcptest complete --prompt describe_planet --arg planet=ma demo",
	Run: func(ctx context.Context, w *workbench.Workbench, in *CompleteInput) (*Response, error) {
		params, err := in.params()
		if err != nil {
			return nil, err
		}
		a, err := callOnce(ctx, w, &in.Connection, "", calls.Call{Method: "completion/complete", Params: params})
		if err != nil || a.refused() {
			return a, err
		}
		if _, err := elementsAt(a.Reply.Result, "/completion/values"); err != nil {
			a.problem("/completion/values", "found nothing, expected an array")
		}
		return a, nil
	},
	Text: func(out io.Writer, a *Response) error {
		t := workbench.NewText(out)
		items, _ := elementsAt(a.Reply.Result, "/completion/values")
		for _, item := range items {
			value, _ := schema.Text(item)
			t.Show(value)
		}
		if more, _ := schema.Get(a.Reply.Result, "/completion/hasMore"); string(more) == "true" {
			t.Line(t.Dim("… and more"))
		}
		a.writeRemarks(t)
		return t.Err
	},
}

func (in *CompleteInput) params() ([]byte, error) {
	var ref any
	switch {
	case in.Prompt != "" && in.Template != "":
		return nil, &workbench.UsageError{Message: "--prompt and --template are mutually exclusive",
			Hint: "use one of them"}
	case in.Prompt == "" && in.Template == "":
		return nil, &workbench.UsageError{Message: "missing --prompt or --template",
			Hint: "use one of {--prompt} NAME and {--template} URI"}
	case in.Prompt != "":
		ref = mcp.Object("type", "ref/prompt", "name", in.Prompt)
	default:
		ref = mcp.Object("type", "ref/resource", "uri", in.Template)
	}
	if len(in.Arg) > 1 {
		return nil, &workbench.UsageError{Message: "more than one --arg: only one argument can be completed at a time",
			Hint: "pass the other arguments with {--context} NAME=VALUE"}
	}
	name, value, ok := strings.Cut(strings.Join(in.Arg, ""), "=")
	if !ok || name == "" {
		return nil, &workbench.UsageError{Message: "missing --arg, or --arg has no value",
			Hint: "use {--arg} NAME=VALUE; VALUE may be empty"}
	}
	chosen, err := textArguments(in.Context)
	if err != nil {
		return nil, err
	}
	var context any
	if chosen != nil {
		context = mcp.Object("arguments", chosen)
	}
	return mcp.Object("ref", ref, "argument", mcp.Object("name", name, "value", value), "context", context), nil
}

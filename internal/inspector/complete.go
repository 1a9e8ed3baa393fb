package inspector

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// Complete requests completion values. It is not recorded in the call history.
func (i *Inspector) Complete(ctx context.Context, id string, in view.CompletionInput) (view.Completion, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Completion{}, err
	}
	link, err := c.session()
	if err != nil {
		return view.Completion{}, err
	}
	ref := mcp.Object("type", "ref/prompt", "name", in.Prompt)
	if in.Template != "" {
		ref = mcp.Object("type", "ref/resource", "uri", in.Template)
	}
	var chosen any
	if len(in.Context) > 0 {
		chosen = mcp.Object("arguments", in.Context)
	}
	ex, err := link.Session.Do(ctx, mcp.Request{Method: "completion/complete",
		Params: mcp.Object("ref", ref, "argument", mcp.Object("name", in.Argument, "value", in.Value), "context",
			chosen)})
	if err != nil {
		return view.Completion{}, err
	}
	return completionOf(ex), nil
}

func completionOf(ex *mcp.Exchange) view.Completion {
	out := view.Completion{Values: []string{}, Refused: view.RpcError(ex.Reply.Error),
		Frames: []int{ex.Request.Frame.Seq, ex.Reply.Frame.Seq}}
	raw, _ := schema.Get(ex.Reply.Result, "/completion/values")
	values, _ := schema.Elements(raw)
	for _, v := range values {
		if text, ok := schema.Text(v); ok {
			out.Values = append(out.Values, text)
		}
	}
	total, _ := schema.Get(ex.Reply.Result, "/completion/total")
	out.Total, out.HasMore = clip.Text(string(total), 40), view.FlagAt(ex.Reply.Result, "/completion/hasMore")
	return out
}

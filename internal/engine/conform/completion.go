package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// completed requests completion of the first available argument, with an empty value.
func (p *CheckContext) completed(ctx context.Context) (*mcp.Exchange, error) {
	ref, name, err := p.completable(ctx)
	if err != nil {
		return nil, err
	}
	ex, err := remember(ctx, p, "completion", func() (*mcp.Exchange, error) {
		return p.Call(ctx, "completion/complete",
			mcp.Object("ref", ref, "argument", mcp.Object("name", name, "value", "")))
	})
	if err == nil && ex.Reply.Error != nil {
		return nil, p.Missing("completion of %s of %s failed with error %d", quoted(name), show(ref),
			ex.Reply.Error.Code)
	}
	return ex, err
}

// completable finds an argument of a prompt or of a resource template to complete.
func (p *CheckContext) completable(ctx context.Context) (ref json.RawMessage, name string, err error) {
	if p.Declares("prompts") {
		list, err := p.List(ctx, "prompts/list")
		if err != nil {
			return nil, "", err
		}
		for _, item := range list.Items {
			if name := schema.TextAt(item.Raw, "/arguments/0/name"); name != "" {
				return mcp.Object("type", "ref/prompt", "name", item.Name), name, nil
			}
		}
	}
	if p.Declares("resources") {
		list, err := p.List(ctx, "resources/templates/list")
		if err != nil {
			return nil, "", err
		}
		for _, item := range list.Items {
			if found := braces().FindString(item.Name); found != "" {
				return mcp.Object("type", "ref/resource", "uri", item.Name), strings.Trim(found, "{}+#./;?&*"), nil
			}
		}
	}
	return nil, "", p.Missing("server declares completions but has no prompt or resource template with an argument")
}

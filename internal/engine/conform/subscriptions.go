package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// listenable returns a filter for the notifications that the server declares.
func (p *CheckContext) listenable(ctx context.Context) (mcp.Filter, error) {
	f := mcp.Filter{Tools: p.Declares("tools/listChanged"), Prompts: p.Declares("prompts/listChanged"),
		Resources: p.Declares("resources/listChanged")}
	if p.Declares("resources/subscribe") {
		list, err := p.List(ctx, "resources/list")
		if err != nil {
			return f, err
		}
		if len(list.Items) > 0 && list.Items[0].Name != "" {
			f.URIs = []string{list.Items[0].Name}
		}
	}
	if !f.Tools && !f.Prompts && !f.Resources && f.URIs == nil {
		return f, p.Skip("server declares nothing to subscribe to")
	}
	return f, nil
}

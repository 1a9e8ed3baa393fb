package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool035 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-035",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#list-changed-notification"),
		Doc: `definitions of tools should not change without notice.

After tools were called, tools/list returned another description or schema, and the server did not send
notifications/tools/list_changed. Clients go on with the old one, and what a user approved is no longer what the model
reads. A description that changes after the first use is also how tools are poisoned.`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *Pass) error {
		first, err := p.List(ctx, "tools/list")
		if err != nil {
			return err
		}
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, p.Timeout())
		defer cancel()
		again, err := all.session.List(limited, "tools/list")
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all.told, func(m mcp.Message) bool { return m.Method == "notifications/tools/list_changed" }) {
			return nil
		}
		for _, item := range first.Items {
			if changed := definitionChange(item, again.Items); changed != "" {
				p.once(Seen{Subject: item.Name}, "%s was another after tools were called: expected no change without notifications/tools/list_changed", changed)
			}
		}
		return nil
	},
}

// definitionChange names the part of a tool's definition that is another in a later list; empty if it is the same, or if
// the tool is not there.
func definitionChange(item mcp.Item, later []mcp.Item) string {
	at := slices.IndexFunc(later, func(i mcp.Item) bool { return i.Name == item.Name })
	if at < 0 {
		return ""
	}
	for _, key := range []string{"description", "inputSchema", "outputSchema", "annotations"} {
		a, b := At(item.Raw, "/"+key), At(later[at].Raw, "/"+key)
		if (a == nil) != (b == nil) || a != nil && !equalJSON(a, b) {
			return key
		}
	}
	return ""
}

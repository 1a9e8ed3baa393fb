package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool035 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-035",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#list-changed-notification"),
		Doc: `tools should not change without notifications/tools/list_changed

After tools were called, tools/list returned other tools, or another description or schema of a tool, and the server did
not send notifications/tools/list_changed. Clients keep the old list: the model never reads of new tools, calls tools
that were removed, and no longer reads what the user approved. In revision 2026-07-28, a list must not depend on earlier
calls at all. A description that changes after the first use is also a known way to attack a model (tool poisoning).`,
	},
	Needs: "tools",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		first, err := p.List(ctx, "tools/list")
		if err != nil {
			return err
		}
		all, err := p.calls(ctx)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all.notified,
			func(m mcp.Message) bool { return m.Method == "notifications/tools/list_changed" }) {
			return nil
		}
		if before, after := names(first), names(&mcp.List{Items: all.later}); all.later != nil && before != after {
			p.once(Evidence{}, "list of tools changed from %s to %s after tools were called, expected "+
				"notifications/tools/list_changed", clip.Text(before, maxNames), clip.Text(after, maxNames))
		}
		for _, item := range first.Items {
			if changed := definitionChange(item, all.later); changed != "" && !isDuplicate(item, first.Items) {
				p.once(Evidence{Subject: item.Name}, "%s changed after tools were called, expected "+
					"notifications/tools/list_changed", changed)
			}
		}
		return nil
	},
}

// maxNames is how much of a list of names a finding shows.
const maxNames = 200

// isDuplicate reports whether several tools have the name of an item, so that their definitions cannot be paired.
func isDuplicate(item mcp.Item, items []mcp.Item) bool {
	count := 0
	for _, other := range items {
		if other.Name == item.Name {
			count++
		}
	}
	return count > 1
}

// definitionChange returns the field of a tool's definition that differs in a later list; empty if none does or if the
// tool is no longer listed.
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

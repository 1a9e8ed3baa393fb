package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool024 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-024",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `Tools have a description.

It is by the description that a model chooses a tool. The schema lets it be absent, and a tool without one is a name to guess
from. How good descriptions are is for schema-lint.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		var mute []mcp.Item
		for _, item := range list.Items {
			if item.Name != "" && strings.TrimSpace(TextAt(item.Raw, "/description")) == "" {
				mute = append(mute, item)
			}
		}
		if len(mute) > 0 {
			p.Report(Seen{Subject: mute[0].Name, Pointer: "/description", Exchange: pageOf(list, mute[0])}, "%d of %d tools have no description, this one first; want one for each", len(mute), len(list.Items))
		}
		return nil
	},
}

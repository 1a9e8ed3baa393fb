package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool024 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-024",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `tools should have a description

Models choose tools by their description. The schema makes it optional, but without one only the name is left. Use
schema-lint to check the quality of descriptions.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		var mute []mcp.Item
		for _, item := range list.Items {
			if item.Name != "" && strings.TrimSpace(schema.TextAt(item.Raw, "/description")) == "" {
				mute = append(mute, item)
			}
		}
		if len(mute) > 0 {
			p.Report(Evidence{Subject: mute[0].Name, Pointer: "/description", Exchange: pageOf(list, mute[0])},
				"%d of %d tools have no description (this is the first), expected one for each", len(mute),
				len(list.Items))
		}
		return nil
	},
}

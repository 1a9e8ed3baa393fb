package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool020 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-020",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/transports/streamable-http#standard-mcp-request-headers"),
		Doc: `x-mcp-header declarations must be valid

x-mcp-header names a header for an argument: a valid HTTP token, not used by another argument, on a string, integer or
boolean that is reachable through properties only. Over HTTP, a client must skip a tool that violates this.`,
	},
	Since: spec.July2026,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			if fault := mcp.HeaderFault(item.Raw); fault != nil {
				p.Report(Evidence{Subject: item.Name, Pointer: "/inputSchema", Exchange: pageOf(list, item)},
					"%s; HTTP clients skip the tool", fault)
			}
		}
		return nil
	},
}

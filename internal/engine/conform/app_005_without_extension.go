package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app005 = &Check{
	Rule: finding.Rule{
		ID:       "APP-005",
		Severity: finding.Info,
		Spec:     appsSpec,
		Doc: `tools should also work for clients without views

A client that does not declare io.modelcontextprotocol/ui should still be able to use the server. Some servers hide
tools from such clients, which is allowed if other tools do the same work.

List the tool for every client, and omit only _meta.ui.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		_, tools, err := p.viewTools(ctx)
		if err != nil {
			return err
		}
		s, err := p.Open(ctx, func(o *mcp.Options) { delete(o.Extensions, mcp.AppsExtension) })
		if err != nil {
			return err
		}
		plain, err := s.List(ctx, "tools/list")
		if err != nil || plain.Refused != nil {
			return err
		}
		again, err := p.read(ctx, "tools/list") // a list that has changed in the meantime proves nothing
		if err != nil {
			return err
		}
		for _, tool := range tools {
			_, still := again.Find(tool.Name)
			if _, ok := plain.Find(tool.Name); !ok && still && tool.Name != "" && !apps.HiddenFromModel(tool.Raw) {
				p.Report(Evidence{Subject: tool.Name, Exchange: last(plain.Pages)},
					"the tool is missing for a client without the ui extension, expected the tool without its view")
			}
		}
		return nil
	},
}

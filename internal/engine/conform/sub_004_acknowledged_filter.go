package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sub004 = &Check{
	Rule: finding.Rule{
		ID:       "SUB-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/subscriptions"),
		Doc: `acknowledgement must not exceed the requested filter

The acknowledgement contains the part of the filter that the server honors. The client does not listen for anything
else, and acknowledging more shows that the server did not read the filter.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *CheckContext) error {
		filter, err := p.listenable(ctx)
		if err != nil {
			return err
		}
		only := mcp.Filter{Tools: filter.Tools, Prompts: !filter.Tools && filter.Prompts,
			Resources: !filter.Tools && !filter.Prompts && filter.Resources}
		if !only.Tools && !only.Prompts && !only.Resources {
			only.URIs = filter.URIs
		}
		s, err := p.Open(ctx, nil)
		if err != nil {
			return err
		}
		sub, err := s.Listen(ctx, only)
		if err != nil {
			return p.Skip("subscription did not start")
		}
		defer sub.Close()
		for name, asked := range map[string]bool{"toolsListChanged": only.Tools, "promptsListChanged": only.Prompts,
			"resourcesListChanged": only.Resources} {
			if string(At(sub.Honoured, "/"+name)) == "true" && !asked {
				p.Report(Evidence{Subject: "subscriptions/listen", Pointer: "/params/notifications/" + name},
					"acknowledgement contains %s, which was not requested, expected only the honored part of the filter", name)
			}
		}
		promised, _ := schema.Elements(At(sub.Honoured, "/resourceSubscriptions"))
		for _, raw := range promised {
			if uri, _ := schema.Text(raw); !slices.Contains(only.URIs, uri) {
				p.Report(Evidence{Subject: "subscriptions/listen",
					Pointer: "/params/notifications/resourceSubscriptions"},
					"acknowledgement contains %s, which was not requested", quoted(uri))
			}
		}
		return nil
	},
}

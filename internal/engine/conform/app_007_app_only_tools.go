package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app007 = &Check{
	Rule: finding.Rule{
		ID:       "APP-007",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `tools that only views call should be listed and callable

A view calls a tool of the same server by its name, and the host looks it up in tools/list. It is the host that hides
tools with the visibility ["app"] from the model; a server that omits them from the list breaks its views.

List every tool that a view calls, with its plain name and the visibility ["app"].`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		if err := p.eachDocument(ctx, func(v appView, html string) {
			for _, name := range apps.CalledTools(html) {
				if _, ok := list.Find(name); !ok {
					p.Report(Evidence{Subject: v.URI, Exchange: v.Read},
						"the view calls the tool %s, which is not in tools/list, expected it there with the visibility "+
							"[\"app\"]", quoted(name))
				}
			}
		}); err != nil {
			return err
		}
		done, err := p.Called(ctx)
		if err != nil {
			return nil // what may not be called is not checked
		}
		for _, c := range done {
			refusal := c.Exchange.Reply.Error
			if apps.HiddenFromModel(c.Definition) && refusal != nil &&
				(refusal.Code == mcp.CodeInvalidParams || refusal.Code == mcp.CodeMethodNotFound) {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange},
					"a call of the listed tool failed with error %d: %s, expected that views can call it", refusal.Code,
					errorLine(refusal))
			}
		}
		return nil
	},
}

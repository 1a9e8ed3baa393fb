package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app001 = &Check{
	Rule: finding.Rule{
		ID:       "APP-001",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view of a tool must be a ui:// resource that can be read

A host reads the resource in _meta.ui.resourceUri and shows it instead of the text of the result. If the URI has another
scheme or the resource cannot be read, the user sees an empty frame or an error.

Register a resource with exactly the URI that the tool names, and start the URI with ui://.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		if err := p.reportTools(ctx, apps.URIProblems); err != nil {
			return err
		}
		views, err := p.Views(ctx)
		if err != nil {
			return err
		}
		for _, v := range views {
			if refusal := v.Read.Reply.Error; refusal != nil {
				p.Report(Evidence{Subject: v.URI, Exchange: v.Read}, "resources/read of the view %s failed with error "+
					"%d: %s, expected its HTML", quoted(v.URI), refusal.Code, errorLine(refusal))
			} else if At(v.Read.Reply.Result, "/contents/0") == nil {
				p.Report(Evidence{Subject: v.URI, Exchange: v.Read, Pointer: "/contents"},
					"the view %s has no content, expected its HTML", quoted(v.URI))
			}
		}
		return nil
	},
}

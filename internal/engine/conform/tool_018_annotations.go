package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool018 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-018",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `tool annotations should not contradict each other

A read-only tool is not destructive. Hosts use these hints to decide whether the user must confirm a call; if they
contradict each other, one of them is wrong.`,
	},
	Since: spec.March2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			hints := At(item.Raw, "/annotations")
			if string(At(hints, "/readOnlyHint")) == "true" && string(At(hints, "/destructiveHint")) == "true" {
				p.Report(Evidence{Subject: item.Name, Pointer: "/annotations/destructiveHint",
					Exchange: pageOf(list, item)}, "readOnlyHint and destructiveHint are both true, expected at "+
					"most one")
			}
		}
		return nil
	},
}

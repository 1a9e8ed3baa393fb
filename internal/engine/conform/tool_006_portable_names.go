package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool006 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `tool names should use only portable characters

A name has 1 to 128 characters: letters, digits, underscore, hyphen and dot. Hosts rename or drop tools whose names
their model provider does not accept.`,
	},
	Since: spec.November2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			if item.Odd == "" && !toolName().MatchString(item.Name) {
				p.Report(Evidence{Subject: item.Name, Pointer: "/name", Exchange: pageOf(list, item)},
					"name is %s, expected 1 to 128 characters from A-Z a-z 0-9 . _ -", quoted(item.Name))
			}
		}
		return nil
	},
}

var toolName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,128}$`)

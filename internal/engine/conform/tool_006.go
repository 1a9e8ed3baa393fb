package conform

import (
	"context"
	"regexp"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool006 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-names"),
		Doc: `Tools have names that every client can use.

A name has 1 to 128 characters out of letters, digits, underscore, hyphen and dot. Hosts rename or drop tools whose
names the provider of their model does not take.`,
	},
	Since: "2025-11-25",
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			if item.Odd == "" && !toolName.MatchString(item.Name) {
				p.Report(Seen{Subject: item.Name, Pointer: "/name", Exchange: pageOf(list, item)}, "the name is %s; want 1 to 128 of A-Z a-z 0-9 _ - .", quoted(item.Name))
			}
		}
		return nil
	},
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

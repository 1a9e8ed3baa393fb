package conform

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life012 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-012",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "server/tools#list-changed-notification"),
		Doc: `list changes should be announced with a list_changed notification

A server that declares listChanged promises a notification. Without it, clients keep showing and calling the items that
existed when they connected.`,
	},
	Until: spec.NewestLegacy,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		declared := false
		for _, kind := range []string{"tools", "prompts", "resources"} {
			if !p.Declares(kind + "/listChanged") {
				continue
			}
			declared = true
			if err := p.announces(ctx, kind); err != nil {
				return err
			}
		}
		if !declared {
			return p.Skip("the server does not declare listChanged")
		}
		return nil
	},
}

// announces reports a list that changed while the checks ran, if the server sent no notification about it.
func (p *CheckContext) announces(ctx context.Context, kind string) error {
	first, err := p.List(ctx, kind+"/list")
	if err != nil {
		return err
	}
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	again, err := s.List(ctx, kind+"/list")
	if err != nil {
		return err
	}
	method := "notifications/" + kind + "/list_changed"
	told := slices.ContainsFunc(p.round.validator.observations(&p.round.validator.notifications),
		func(s observation) bool { return s.method == method })
	if before, after := names(first), names(again); before != after && !told {
		p.Report(Evidence{Exchange: again.Pages[0]}, "list of %s changed from %s to %s without a notification, expected %s",
			kind, clip.Text(before, maxNames), clip.Text(after, maxNames), method)
	}
	return nil
}

// names returns the sorted names of the items of a list, or their URIs.
func names(l *mcp.List) string {
	var all []string
	for _, item := range l.Items {
		all = append(all, cmp.Or(schema.TextAt(item.Raw, "/uri"), item.Name))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
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
	Needs: "tools/listChanged",
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		first, err := p.List(ctx, "tools/list")
		if err != nil {
			return err
		}
		s, err := p.Session(ctx)
		if err != nil {
			return err
		}
		again, err := s.List(ctx, "tools/list")
		if err != nil {
			return err
		}
		told := slices.ContainsFunc(p.round.validator.observations(&p.round.validator.notifications),
			func(s observation) bool {
				return s.method == "notifications/tools/list_changed"
			})
		if before, after := names(first), names(again); before != after && !told {
			p.Report(Evidence{Exchange: again.Pages[0]},
				"list of tools changed from %s to %s without a notification, expected notifications/tools/list_changed",
				clip.Text(before, maxNames), clip.Text(after, maxNames))
		}
		return nil
	},
}

// names returns the sorted names of the items of a list.
func names(l *mcp.List) string {
	var all []string
	for _, item := range l.Items {
		all = append(all, item.Name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

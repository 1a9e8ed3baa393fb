package conform

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool033 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-033",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `tool with readOnlyHint should not change results of other tools or resources

Hosts run read-only tools without asking the user. A call of the tool changed the result of another tool or the content of a
resource, which stays the same otherwise. It was seen twice. Remove readOnlyHint, or do not write in the tool. A tool that
only counts calls is reported, too.`,
	},
	Since:   spec.March2025,
	Needs:   "tools",
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		tools, err := p.readOnlyTools(ctx)
		if err != nil {
			return err
		}
		all := p.observers(ctx, tools)
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		ends := time.Now().Add(p.round.opts.Timeout / 2)
		for _, t := range tools {
			if time.Now().After(ends) {
				return nil // a slow server: the calls of a user are not worth the wait
			}
			changed, after, err := p.changedBy(ctx, s, t, all, ends)
			if err != nil {
				return err
			}
			if changed != nil {
				p.once(Seen{Subject: t.Name, Exchange: after, Led: true},
					"a call of this tool with readOnlyHint changed what %s returns: expected no change", changed.subject)
			}
		}
		return nil
	},
}

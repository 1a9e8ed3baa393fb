package conform

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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
only counts calls is also reported.`,
	},
	Since:   spec.March2025,
	Needs:   "tools",
	Scratch: true,
	Alone:   true, // calls of other checks would change what it observes
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.readOnlyTools(ctx)
		if err != nil {
			return err
		}
		open := p.Scratch
		if slices.ContainsFunc(tools, takesItem) {
			// other checks may have called the tool with each known item
			open = func(ctx context.Context) (*mcp.Session, error) { return p.Open(ctx, nil) }
		}
		s, err := open(ctx)
		if err != nil {
			return err
		}
		views, err := p.changing(ctx, s, p.observers(ctx, tools), otherCalls(tools)...)
		if err != nil {
			return err
		}
		found, err := p.changedBy(ctx, s, tools, views, time.Now().Add(p.round.opts.Timeout))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			if found, err = p.changedByUnused(ctx, s, tools, time.Now().Add(p.round.opts.Timeout)); err != nil {
				return err
			}
		}
		for _, call := range found {
			p.once(Evidence{Subject: call.tool, Exchange: call.after, Led: true},
				"a call of this tool with readOnlyHint changed what %s returns: expected no change", call.view.subject)
		}
		return nil
	},
}

// takesItem reports whether a tool is called with an item, such as an ID.
func takesItem(t Tool) bool {
	return t.Other != nil || slices.ContainsFunc(stringsIn(At(t.Definition, "/inputSchema/required")),
		func(name string) bool { return numberNames().MatchString(schema.Snake(name)) })
}

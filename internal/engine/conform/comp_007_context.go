package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp007 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-007",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/completion"),
		Doc: `completion should depend on the values selected before

A template has two variables. The completion of the second was requested with the value of the first one in context.arguments. It
suggests a value for which no resource can be read, while that value can be read with another value of the first variable. So the
user is offered the cities of all countries. Select the suggestions by context.arguments.`,
	},
	Since: spec.June2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		if !p.round.offers("resources") {
			return p.Skip("server has no resources")
		}
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		tried := false
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			done, err := p.compareContexts(ctx, item.Name)
			if err != nil {
				return err
			}
			tried = tried || done
		}
		if !tried {
			return p.Skip("no template with two variables has suggested values for both")
		}
		return nil
	},
}

// compareContexts reports a template whose second variable is completed with values that belong to another value of the first one.
// It reports whether there was something to compare.
func (p *CheckContext) compareContexts(ctx context.Context, template string) (bool, error) {
	t := p.twoVariables(template)
	if t == nil {
		return false, nil
	}
	outer, err := t.complete(ctx, 0, mcp.Object())
	if err != nil || len(outer) < 2 {
		return false, err
	}
	compared := false
	for _, first := range outer {
		inner, err := t.complete(ctx, 1, mcp.Object(t.names[0], first))
		if err != nil {
			return false, err
		}
		for _, second := range inner {
			compared = true
			ex, err := t.read(ctx, first, second)
			if err != nil {
				return false, err
			}
			if ex.Reply.Error == nil {
				continue
			}
			for _, other := range outer {
				if other == first {
					continue
				}
				works, err := t.read(ctx, other, second)
				if err != nil {
					return false, err
				}
				if works.Reply.Error == nil {
					p.Report(Evidence{Subject: template, Exchange: ex}, "with %s %s, completion suggests %s %s, which can only be read with %s: error %d: %s",
						t.names[0], quoted(first), t.names[1], quoted(second), quoted(other), ex.Reply.Error.Code, errorLine(ex.Reply.Error))
					return true, nil
				}
			}
		}
	}
	return compared, nil
}

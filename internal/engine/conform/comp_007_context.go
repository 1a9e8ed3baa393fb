package conform

import (
	"context"
	"net/url"
	"strings"

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

// maxInContext is how many values of each variable are read.
const maxInContext = 3

// compareContexts reports a template whose second variable is completed with values that belong to another value of the first one.
// It reports whether there was something to compare.
func (p *CheckContext) compareContexts(ctx context.Context, template string) (bool, error) {
	found := variable().FindAllStringSubmatch(template, -1)
	if len(found) != 2 || templateProblem(template) != "" || strings.ContainsAny(template, "+#?&;*") {
		return false, nil
	}
	complete := func(variable string, given any) ([]string, error) {
		params := mcp.Object("ref", mcp.Object("type", "ref/resource", "uri", template),
			"argument", mcp.Object("name", variable, "value", ""), "context", mcp.Object("arguments", given))
		ex, err := p.Call(ctx, "completion/complete", params)
		if err != nil || ex.Reply.Error != nil {
			return nil, err
		}
		return stringsIn(At(ex.Reply.Result, "/completion/values")), nil
	}
	outer, err := complete(found[0][1], mcp.Object())
	if err != nil || len(outer) < 2 {
		return false, err
	}
	read := func(first, second string) (*mcp.Exchange, error) {
		values := []string{url.PathEscape(first), url.PathEscape(second)}
		uri := braces().ReplaceAllStringFunc(template, func(string) string {
			next := values[0]
			values = values[1:]
			return next
		})
		return p.Call(ctx, "resources/read", mcp.Object("uri", uri))
	}
	compared := false
	for _, first := range outer[:min(len(outer), maxInContext)] {
		inner, err := complete(found[1][1], mcp.Object(found[0][1], first))
		if err != nil {
			return false, err
		}
		for _, second := range inner[:min(len(inner), maxInContext)] {
			compared = true
			ex, err := read(first, second)
			if err != nil {
				return false, err
			}
			if ex.Reply.Error == nil {
				continue
			}
			for _, other := range outer[:min(len(outer), maxInContext)] {
				if other == first {
					continue
				}
				works, err := read(other, second)
				if err != nil {
					return false, err
				}
				if works.Reply.Error == nil {
					p.Report(Evidence{Subject: template, Exchange: ex}, "with %s %s, completion suggests %s %s, which can only be read with %s: error %d: %s",
						found[0][1], quoted(first), found[1][1], quoted(second), quoted(other), ex.Reply.Error.Code, errorLine(ex.Reply.Error))
					return true, nil
				}
			}
		}
	}
	return compared, nil
}

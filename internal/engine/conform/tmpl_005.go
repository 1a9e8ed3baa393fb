package conform

import (
	"context"
	"regexp"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl005 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `An address that was made from a template is answered.

With contents, or with the error for a resource that does not exist. An internal error says that nobody thought of the
value that a client filled in.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *Pass) error {
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items[:min(len(list.Items), mostReads)] {
			if item.Name == "" || templateProblem(item.Name) != "" {
				continue
			}
			ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", filledIn(item.Name)))
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil && refusal.Code == mcp.CodeInternal {
				p.Report(Seen{Subject: item.Name, Exchange: ex}, "reading %s was refused with error %d: %s; want contents, or the error for a resource that does not exist", quoted(filledIn(item.Name)), refusal.Code, said(refusal))
			}
		}
		return nil
	},
}

// filledIn is a template with a value in place of each expression.
func filledIn(template string) string { return braces.ReplaceAllString(template, "1") }

var braces = regexp.MustCompile(`\{[^{}]*\}`)

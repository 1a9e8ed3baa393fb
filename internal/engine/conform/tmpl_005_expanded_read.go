package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl005 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `read of an expanded template should not fail internally

The server must return contents, or the error for a resource that does not exist. An internal error means that the
server does not handle the value from the client.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			if item.Name == "" || templateProblem(item.Name) != "" {
				continue
			}
			ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", filledIn(item.Name)))
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil && refusal.Code == mcp.CodeInternal {
				p.Report(Evidence{Subject: item.Name, Exchange: ex},
					"reading %s failed with error %d: %s, expected contents or the error for an unknown resource",
					quoted(filledIn(item.Name)), refusal.Code, errorLine(refusal))
			}
		}
		return nil
	},
}

// filledIn returns a template with a value for each expression.
func filledIn(template string) string { return braces().ReplaceAllString(template, "1") }

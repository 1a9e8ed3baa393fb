package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl009 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `variable of a resource template should have an effect

Two resources of the template, with two arbitrary values of its variable, have the same contents. The server ignores the
value: whatever a user selects, the model reads the same document, and a value that does not exist gives no error.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			if item.Name == "" || templateProblem(item.Name) != "" || !braces().MatchString(item.Name) {
				continue
			}
			var contents [2]string
			var last *mcp.Exchange
			for i, value := range []string{"mcptest-one", "mcptest-two"} {
				uri := braces().ReplaceAllLiteralString(item.Name, escapedFor(item.Name, value))
				if last, err = p.Call(ctx, "resources/read", mcp.Object("uri", uri)); err != nil {
					return err
				}
				if last.Reply.Error != nil {
					break
				}
				contents[i] = strings.TrimSpace(valuesOf(last.Reply.Result))
			}
			if contents[0] != "" && contents[0] == contents[1] {
				p.Report(Evidence{Subject: item.Name, Exchange: last, Pointer: "/contents"},
					"two values of the variable: expected different contents or an error, got the same contents")
			}
		}
		return nil
	},
}

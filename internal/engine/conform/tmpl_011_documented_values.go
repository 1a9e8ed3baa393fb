package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl011 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-011",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#resource-templates"),
		Doc: `resource template should work with the values in its description

Several values that the description of a template mentions, and that the server lists elsewhere, in another resource or in the
values of a tool's argument, fail as unknown resources, and no read of the template succeeds. A common reason is that the server
reads URIs of another form than the template that it lists. Make uriTemplate and the code that parses URIs agree.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.knownReads(ctx)
		for _, r := range all {
			if len(r.failed) > 1 && !r.isRead() && !r.other {
				p.Report(Evidence{Subject: r.item.Name, Exchange: r.last},
					"the values %s of its description: expected contents, got error %d: %s", strings.Join(r.failed, ", "),
					r.last.Reply.Error.Code, errorLine(r.last.Reply.Error))
			}
		}
		return err
	},
}

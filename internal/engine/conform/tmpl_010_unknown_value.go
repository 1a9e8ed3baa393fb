package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl010 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-010",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#error-handling"),
		Doc: `read of an unknown resource should fail

Resources of the template with two arbitrary values of its variable have contents that say that there is no such resource,
and the read succeeded. A client shows the sentence as the document, and a model takes it for its contents. Return an error
instead.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.unknownReads(ctx)
		for _, r := range all {
			text := strings.ReplaceAll(r.contents[0], arbitrary[0], arbitrary[1])
			if text != "" && text == r.contents[1] && exposure.DeniesExistence(text) {
				p.Report(Evidence{Subject: r.template, Exchange: r.last, Pointer: "/contents"},
					"an arbitrary value of the variable: expected an error, got the contents %s", quoted(text))
			}
		}
		return err
	},
}

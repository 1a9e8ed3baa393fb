package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var prog004 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/progress#progress-flow"),
		Doc: `progress must not be sent without a progressToken

A request without a progressToken requests no progress. A notification without a token, or with an invented one, cannot
be matched to a request.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		told, err := p.unasked(ctx)
		if err != nil {
			return err
		}
		for _, m := range told {
			if m.Method != "notifications/progress" {
				continue
			}
			p.Report(Evidence{Subject: m.Method, Frames: []wire.Frame{m.Frame}},
				"progress notification with token %s although no request had one, expected none",
				show(At(m.Params, "/progressToken")))
			break
		}
		return nil
	},
}

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
		Doc: `Progress is told only to a client that has asked for it.

A request without a progressToken asks for none. A notification without a token, or with one that was made up, cannot
belong to anything.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		told, err := p.unasked(ctx)
		if err != nil {
			return err
		}
		for _, m := range told {
			if m.Method != "notifications/progress" {
				continue
			}
			p.Report(Seen{Subject: m.Method, Frames: []wire.Frame{m.Frame}}, "progress was told with the token %s although no request had one; want none", show(At(m.Params, "/progressToken")))
			break
		}
		return nil
	},
}

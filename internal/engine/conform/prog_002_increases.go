package conform

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var prog002 = &Check{
	Rule: finding.Rule{
		ID:       "PROG-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/utilities/progress#progress-flow"),
		Doc: `progress must increase with each notification

A progress bar that moves backwards or stops looks stuck to the user. The value must increase each time, even if the
total is unknown. A tool that reported progress once is called again with a longer list, or with a larger number.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.progressed(ctx)
		if err != nil {
			return err
		}
		longer, err := p.longerCalls(ctx, done)
		for _, c := range append(slices.Clone(done), longer...) {
			var before *float64
			for _, m := range progressOf(c) {
				var now float64
				if json.Unmarshal(At(m.Params, "/progress"), &now) != nil {
					continue // notifications with the schema of the message
				}
				if before != nil && now <= *before {
					p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/params/progress",
						Frames: []wire.Frame{m.Frame}}, "progress went from %v to %v, expected it to increase", *before,
						now)
					break
				}
				before = &now
			}
		}
		return err
	},
}

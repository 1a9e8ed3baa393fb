package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life011 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-011",
		Severity: finding.Warning,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#capability-negotiation"),
		Doc: `Changes are told only by those who declare it.

notifications/tools/list_changed and its like belong to the capability listChanged. Clients that read the capabilities do not
listen for what is not declared.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, list := range []string{"tools", "resources", "prompts"} {
			method := "notifications/" + list + "/list_changed"
			for _, s := range p.round.judge.seen(&p.round.judge.told) {
				if s.method == method && !p.Declares(list+"/listChanged") {
					p.Report(Seen{Subject: method, Frames: s.frames}, "the server sent %s without declaring listChanged of %s; want it declared", method, list)
					break
				}
			}
		}
		return nil
	},
}

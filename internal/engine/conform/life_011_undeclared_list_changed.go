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
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#capability-negotiation"),
		Doc: `list_changed notifications should be sent only if listChanged is declared

notifications/tools/list_changed and similar notifications require the listChanged capability. Clients do not listen for
notifications that are not declared.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, list := range []string{"tools", "resources", "prompts"} {
			method := "notifications/" + list + "/list_changed"
			for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
				if s.method == method && !p.Declares(list+"/listChanged") {
					p.Report(Evidence{Subject: method, Frames: s.frames},
						"server sent %s without declaring listChanged of %s, expected it to be declared", method, list)
					break
				}
			}
		}
		return nil
	},
}

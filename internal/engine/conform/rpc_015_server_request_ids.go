package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc015 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-015",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic#requests"),
		Doc: `server request ids must be unique and not null

If an ID is null or still in use by another server request, responses are ambiguous.`,
	},
	Until: spec.NewestLegacy,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		open := map[string]bool{}
		for _, s := range p.round.validator.observations(&p.round.validator.serverRequests) {
			key := s.connection + string(s.message.ID)
			if string(s.message.ID) == "null" || open[key] {
				p.Report(Evidence{Subject: s.method, Frames: s.frames},
					"server request %s has the id %s, which is null or already used, expected a unique id",
					clip.Text(s.method, 60), show(s.message.ID))
			}
			open[key] = true
		}
		return nil
	},
}

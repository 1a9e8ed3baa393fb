package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http030 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-030",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `SSE responses should disable proxy buffering

A proxy that buffers a stream delays progress notifications until the result arrives. The header X-Accel-Buffering: no
disables buffering in common proxies.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range p.round.validator.observations(&p.round.validator.notifications) {
			f := s.message.Frame
			if f.Event != nil && f.Header != nil && f.Header.Get("X-Accel-Buffering") != "no" {
				p.Report(Evidence{Subject: "event stream", Frames: s.frames},
					"SSE stream has X-Accel-Buffering %q, expected no",
					clip.Text(f.Header.Get("X-Accel-Buffering"), 40))
				return nil
			}
		}
		return nil
	},
}

package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http027 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-027",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `event ids must be unique within a session

A client resumes a stream after the last event ID that it received. If two events have the same ID, the client misses an
event or receives one twice.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		seen := map[string]bool{}
		for _, s := range p.round.validator.observations(&p.round.validator.events) {
			key := s.connection + " " + s.text
			if seen[key] && s.text != "" {
				p.Report(Evidence{Subject: "event id", Frames: s.frames},
					"event ID %q is used by two events of a session, expected unique IDs", clip.Text(s.text, 60))
			}
			seen[key] = true
		}
		return nil
	},
}

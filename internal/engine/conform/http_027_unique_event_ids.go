package conform

import (
	"bytes"
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var http027 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-027",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#streamable-http"),
		Doc: `event ids must be unique within a session

A client resumes a stream after the last event ID that it received. If two events have the same ID, the client misses an
event or receives one twice. An event that is sent again to resume a stream keeps its ID.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Last:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		for _, s := range repeatedEvents(p.round.validator.observations(&p.round.validator.events)) {
			p.Report(Evidence{Subject: "event id", Frames: s.frames},
				"event ID %q is used by two events of a session, expected unique IDs", clip.Text(s.text, 60))
		}
		return nil
	},
}

// repeatedEvents returns the events with the ID of an earlier event of their session, except for those that are sent again on
// another stream to resume one.
func repeatedEvents(events []observation) []observation {
	var repeated []observation
	seen := map[string]wire.Frame{}
	for _, s := range events {
		key, event := s.connection+" "+s.text, s.frames[0]
		before, known := seen[key]
		resumed := before.Stream != event.Stream && bytes.Equal(before.Body, event.Body)
		if known && s.text != "" && !resumed {
			repeated = append(repeated, s)
		}
		seen[key] = event
	}
	return repeated
}

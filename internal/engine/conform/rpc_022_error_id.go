package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc022 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-022",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#error-responses"),
		Doc: `error response must have the ID of its request

Clients match responses to requests by ID. An error with the ID null, or without one, matches no request: the client
waits until its timeout and never shows the error. The ID null is only for a message whose own ID cannot be read. Return
the ID of the request in every error, also if the method, the tool or the arguments are unknown or invalid.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.provokeErrors(ctx)
		told := map[string]bool{} // one for each method is enough
		for _, s := range p.round.validator.anonymousErrors() {
			if told[s.method] {
				continue
			}
			told[s.method] = true
			p.Report(Evidence{Subject: s.method, Frames: s.frames},
				"%s: got no response, but an error with id %s: %d %s, expected the ID of the request",
				s.method, show(s.message.ID), s.message.Error.Code, clip.Text(s.message.Error.Message, 100))
		}
		return nil
	},
}

// provokeErrors makes requests that a server must reject, in a separate session: the judge records whether they get a
// response.
func (p *CheckContext) provokeErrors(ctx context.Context) {
	if p.round.locked || len(p.round.lost.list()) > 0 {
		return
	}
	s, err := p.Open(ctx, nil)
	if err != nil {
		return
	}
	if _, err := p.CallIn(ctx, s, "mcptest/no-such-method", nil); err == nil && p.Declares("tools") {
		_, _ = p.CallIn(ctx, s, "tools/call", map[string]any{"name": "mcptest-no-such-tool",
			"arguments": map[string]any{}})
	}
}

// anonymousErrors returns the errors without an ID that were sent for one of our requests which was well-formed and got
// no response, each with that request. Over HTTP, an error status may come without an ID.
func (j *frameValidator) anonymousErrors() []observation {
	j.mu.Lock()
	defer j.mu.Unlock()
	var found []observation
	for _, s := range j.refused {
		id := string(s.message.ID)
		if id != "" && id != "null" || j.unreadable[s.connection] || s.message.Frame.Status >= 400 {
			continue
		}
		if request := j.unansweredBefore(s); request != nil {
			s.method, s.frames = request.method, []wire.Frame{request.frame, s.message.Frame}
			found = append(found, s)
		}
	}
	return found
}

// unansweredBefore returns the last request that was sent before an error arrived, on the same HTTP exchange if there
// is one, and that never got a response.
func (j *frameValidator) unansweredBefore(s observation) *sentRequest {
	got, last := s.message.Frame, (*sentRequest)(nil)
	for key, a := range j.requests {
		switch {
		case a.replies > 0 || !strings.HasPrefix(key, s.connection+" ") || a.frame.Seq > got.Seq:
		case strings.HasPrefix(got.Stream, "post-") && a.frame.Stream != got.Stream:
		case last == nil || a.frame.Seq > last.frame.Seq:
			last = a
		}
	}
	return last
}

package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// reportViolations reports the schema violations of one kind, except those that another check has reported.
func (p *CheckContext) reportViolations(kind string) {
	for _, s := range p.round.validator.violations(kind) {
		if p.round.alreadyReported(s) {
			continue
		}
		severity := p.Check.Severity
		if _, known := p.Revision.Method(spec.Server, s.method); kind == "notification" && s.pointer == "/method" && !known {
			if severity = p.methodSeverity(s.method); severity == "" {
				continue
			}
		}
		if !s.message.IsResponse() {
			s.frames = firstProof(s.frames)
		}
		seen := s.proof()
		seen.Pointer = s.pointer
		p.report(severity, seen, "%s", s.text)
	}
}

// firstProof returns the first pair of frames, or the only one.
func firstProof(frames []wire.Frame) []wire.Frame { return frames[:min(len(frames), 1)] }

// alreadyReported reports whether a check has reported the same violation: in all of the frames, or in one of them or in
// a response to the method, at the same location or within it.
func (r *revisionRun) alreadyReported(s observation) bool {
	var whole []int // frames of findings about a message as a whole
	for _, result := range r.results {
		for _, f := range result.Findings {
			if f.Where.Pointer == "" {
				whole = append(whole, f.Where.Frames...)
				continue
			}
			if !strings.HasSuffix(s.pointer, f.Where.Pointer) && !strings.Contains(s.pointer, f.Where.Pointer+"/") {
				continue
			}
			if f.Where.Subject == s.method || sharesFrame(f, s) {
				return true
			}
		}
	}
	// If it is in other messages, too, these findings are about something else: that one list was served too early says
	// nothing about a wrong field that every list has.
	return !slices.ContainsFunc(s.frames, func(one wire.Frame) bool {
		return one.From == wire.Server && !slices.Contains(whole, one.Seq)
	})
}

func sharesFrame(f finding.Finding, s observation) bool {
	return slices.ContainsFunc(s.frames, func(one wire.Frame) bool {
		return one.From == wire.Server && slices.Contains(f.Where.Frames, one.Seq)
	})
}

// survey requests the lists if no other check did, so that there is something to check. Failures are ignored.
func (p *CheckContext) survey(ctx context.Context) {
	for _, list := range []struct{ capability, method string }{
		{"tools", "tools/list"}, {"resources", "resources/list"}, {"resources", "resources/templates/list"},
		{"prompts", "prompts/list"},
	} {
		if p.round.offers(list.capability) && len(p.round.lost.list()) == 0 && !p.round.locked {
			_, _ = p.List(ctx, list.method)
		}
	}
}

// callOnce makes sure that the tools were called even if no other check did, so that their output and results can be
// checked.
func (p *CheckContext) callOnce(ctx context.Context) {
	if p.round.offers("tools") && len(p.round.lost.list()) == 0 && !p.round.locked {
		_, _ = p.Called(ctx)
	}
}

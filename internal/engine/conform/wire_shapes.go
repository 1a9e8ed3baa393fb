package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// tell reports the departures of one kind from the tables of the revision, but for those that another check has told.
func (p *Pass) tell(kind string) {
	for _, s := range p.round.judge.departures(kind) {
		if p.round.told(s) {
			continue
		}
		if !s.message.IsResponse() {
			s.frames = firstProof(s.frames)
		}
		seen := s.proof()
		seen.Pointer = s.pointer
		p.Report(seen, "%s", s.text)
	}
}

// firstProof is the first pair of frames, or the only one.
func firstProof(frames []wire.Frame) []wire.Frame { return frames[:min(len(frames), 1)] }

// told reports whether a check has found the same thing: in one of the frames, or in an answer to the method, at a place
// that is the same or within it.
func (r *round) told(s sighting) bool {
	for _, result := range r.results {
		for _, f := range result.Findings {
			if f.Where.Pointer != "" && !strings.HasSuffix(s.pointer, f.Where.Pointer) && !strings.Contains(s.pointer, f.Where.Pointer+"/") {
				continue
			}
			if f.Where.Pointer != "" && f.Where.Subject == s.method || sharesFrame(f, s) {
				return true
			}
		}
	}
	return false
}

func sharesFrame(f finding.Finding, s sighting) bool {
	return slices.ContainsFunc(s.frames, func(one wire.Frame) bool {
		return one.From == wire.Server && slices.Contains(f.Where.Frames, one.Seq)
	})
}

// survey asks for what there is to judge where no other check has: the lists. What cannot be had is not there to judge.
func (p *Pass) survey(ctx context.Context) {
	for _, list := range []struct{ capability, method string }{
		{"tools", "tools/list"}, {"resources", "resources/list"}, {"resources", "resources/templates/list"}, {"prompts", "prompts/list"},
	} {
		if p.round.offers(list.capability) && len(p.round.lost.list()) == 0 && !p.round.locked {
			_, _ = p.List(ctx, list.method)
		}
	}
}

// callOnce makes sure that the tools were called where no other check did it: what they print or return is to be seen.
func (p *Pass) callOnce(ctx context.Context) {
	if p.round.offers("tools") && len(p.round.lost.list()) == 0 && !p.round.locked {
		_, _ = p.Called(ctx)
	}
}

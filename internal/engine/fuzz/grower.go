package fuzz

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// grower is the case of the tool whose calls make the process grow: resources are sampled after calls of several tools.
// The last calls of the session are repeated in a new one, tool by tool, and the tool with the largest growth per call
// is chosen.
func (r *runner) grower(ctx context.Context, p scheduledCase, cause string) scheduledCase {
	history := slices.Clone(r.history)
	if len(r.tools) < 2 || r.fresh(ctx) != nil {
		return p
	}
	defer func() { r.history = history }()
	best, most := p, int64(0)
	for _, t := range r.tools {
		own := slices.DeleteFunc(slices.Clone(history), func(s Step) bool { return s.Tool != t.name || s.Cancel })
		own = own[max(0, len(own)-growerCalls):]
		if len(own) < 2 || t.isSkipped() {
			continue
		}
		r.send(ctx, t, own[0], nil) // what the first call takes once is no growth
		before, _ := r.session.Usage()
		for _, step := range own[1:] {
			if s := r.send(ctx, t, step, nil); s.Err != nil || ctx.Err() != nil || r.over() {
				return best
			}
		}
		after, _ := r.session.Usage()
		if per := grownBy(before, after, cause) / int64(len(own)-1); per > most {
			best, most = scheduledCase{subject: t, step: own[len(own)-1]}, per
		}
	}
	return best
}

// growerCalls is how many calls of a tool are repeated to see how much it keeps.
const growerCalls = 20

// grownBy is how much more a process holds of what it leaks.
func grownBy(before, after wire.Usage, cause string) int64 {
	const fine = 1000 // a tool may leak one file in several calls
	switch cause {
	case "files":
		return fine * int64(after.Handles-before.Handles)
	case "processes":
		return fine * int64(after.Processes-before.Processes)
	}
	return after.Memory - before.Memory
}

package fuzz

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
)

// atLimit repeats a call that failed at a limit of the schema with a value just inside. If that works, the schema and
// the server disagree about the limit.
func (r *runner) atLimit(ctx context.Context, t *fuzzTarget, step Step, s *observation) *violation {
	if !step.Allowed || step.Inside == nil || s.Exchange == nil || s.Exchange.Reply == nil ||
		s.Exchange.Reply.Error != nil || !s.parts().failed {
		return nil
	}
	inner := cases.Case{Tool: step.Tool, Arguments: step.Inside, Kind: cases.Boundary}
	if t.gen.Validate(&inner); !inner.Allowed {
		return nil
	}
	if again := r.send(ctx, t, Step{Case: inner}, nil); again.responded() && accepted(again) {
		return &violation{cause: "limit", message: "a value at the limit of the schema fails (" +
			clip.Sized(errorText(s.Exchange.Reply), maxDisplayed) + "), one just inside works"}
	}
	return nil
}

package fuzz

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/frames"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// frameKind is the kind of a step that is a frame rather than a call.
const frameKind cases.Kind = "frame"

// disturbances are the malformed frames, and over HTTP also malformed headers and bodies.
func (r *runner) disturbances() []frames.Malformed {
	return frames.All(r.session.Version, overHTTP(r.session))
}

func overHTTP(s *mcp.Session) bool { return s.Target().Transport() == wire.StreamableHTTP }

// wire sends each disturbance in turn and runs a health check after it.
func (r *runner) wire(ctx context.Context) {
	if r.session == nil && r.fresh(ctx) != nil {
		return
	}
	for _, d := range r.disturbances() {
		if ctx.Err() != nil || r.over() || r.failures.enough() || r.done >= r.opts.Cases {
			return
		}
		if r.session.Err() != nil && r.fresh(ctx) != nil {
			return
		}
		r.done++
		r.progress("frames: " + d.Description)
		if r.survives(ctx, d) {
			continue
		}
		r.failures.silent++
		f := r.fallen(d)
		f.Repeats = r.fresh(ctx) == nil && !r.survives(ctx, d)
		key := f.Rule.ID + "\x00" + d.Description
		r.found[key] = f
		r.order = append(r.order, key)
		if r.fresh(ctx) != nil {
			return
		}
	}
}

// fallen is the defect of a server that did not survive.
func (r *runner) fallen(d frames.Malformed) *Found {
	rule := ruleOf("FUZZ-012")
	return &Found{Rule: rule, Severity: rule.Severity, Times: 1, Cases: r.done, After: r.searched(),
		Breach: unresponsiveViolation(d.Description).message, Stderr: r.stderr(),
		Steps: []Step{{Case: cases.Case{Kind: frameKind, Description: d.Description, Arguments: d.Display}}}}
}

func unresponsiveViolation(says string) *violation {
	return &violation{cause: says, message: "after " + says + ": server stopped responding"}
}

// replayFrame sends the disturbance of a step.
func (r *runner) replayFrame(ctx context.Context, step Step) []replayResult {
	for _, d := range r.disturbances() {
		if d.Description == step.Description && !r.survives(ctx, d) && ctx.Err() == nil {
			return []replayResult{{rule: ruleOf("FUZZ-012"), breach: unresponsiveViolation(d.Description)}}
		}
	}
	return nil
}

// survives sends a disturbance and runs a health check. Over HTTP the session may be lost: then it must be possible to
// open a new one.
func (r *runner) survives(ctx context.Context, d frames.Malformed) bool {
	limited, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	r.unused = false
	d.Do(limited, r.session)
	if r.healthy(ctx) || ctx.Err() != nil {
		return true
	}
	return overHTTP(r.session) && r.fresh(ctx) == nil && r.healthy(ctx)
}

package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// Replay runs the steps of a defect once, in a fresh session, and reports whether they still violate the rule.
func Replay(ctx context.Context, o Options, rule string, steps []Step) (*Result, error) {
	if o.Hang == 0 {
		o.Hang = DefaultHang
	}
	o.Tools = nil
	o.May = func(json.RawMessage) safety.Verdict { return safety.Verdict{Calls: safety.Unlimited} }
	for _, s := range steps {
		if s.Tool != "" && !slices.Contains(o.Tools, s.Tool) {
			o.Tools = append(o.Tools, s.Tool)
		}
	}
	r := newRunner(o)
	r.callTimeout, r.requestsProgress = o.Hang, silent(rule)
	if err := r.fresh(ctx); err != nil {
		return nil, err
	}
	defer func() { r.close() }()
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	for _, seen := range r.replay(ctx, steps, rule, false) {
		key := keyOf(seen.rule, seen.tool, seen.breach)
		if r.found[key] != nil {
			continue
		}
		f := &Found{Rule: seen.rule, Breach: seen.breach.message, Severity: seen.rule.Severity, Steps: steps,
			Repeats: true, Times: 1, Frames: seen.breach.frames(seen.exchange), FailedBefore: r.failedBefore}
		if seen.breach.severity != "" {
			f.Severity = seen.breach.severity
		}
		r.found[key] = f
		r.order = append(r.order, key)
	}
	r.done = len(steps)
	return r.result(), ctx.Err()
}

// A replayResult is a violation found by a step of a replay.
type replayResult struct {
	rule     finding.Rule
	tool     string
	breach   *violation
	exchange *mcp.Exchange
}

// replay runs steps in a fresh session and returns the violations. It also checks what a rule requires beyond the
// responses: the shape of a second response, the resources of the process before and after. An open session may be
// reused.
func (r *runner) replay(ctx context.Context, steps []Step, rule string, reuse bool) []replayResult {
	if !(reuse && r.opened()) && !(r.unused && r.opened()) && r.fresh(ctx) != nil {
		return nil
	}
	var all []replayResult
	before, _ := r.session.Usage()
	steps = unfold(steps)
	r.failedBefore = 0
	for _, t := range r.tools {
		t.lists.Forget() // what it shows must be in the steps
	}
	warm := 0 // calls before growth is counted
	for i, step := range steps {
		if rule == "FUZZ-010" && i == len(steps)/warmCalls {
			before, _ = r.session.Usage()
			warm = i
		}
		switch step.Kind {
		case frameKind:
			return append(all, r.replayFrame(ctx, step)...)
		case sessionKind:
			return append(all, r.endSession(ctx)...)
		}
		t := r.subject(step.Tool)
		if t == nil || ctx.Err() != nil {
			return all
		}
		t.gen.Validate(&step.Case)
		s := r.send(ctx, t, step, nil)
		if broken, b := evaluate(s); b != nil {
			if i == len(steps)-1 {
				b = r.confirmed(ctx, t, step, b, r.send)
			}
			all = append(all, replayResult{broken, step.Tool, b, s.Exchange})
		}
		if i < len(steps)-1 && s.responded() && !accepted(s) {
			r.failedBefore++
		}
		if rule == injectionProperty.ID && i == len(steps)-1 {
			if b := decides(ctx, t, step, s, r.send); b != nil {
				all = append(all, replayResult{injectionProperty.Rule, step.Tool, b, s.Exchange})
			}
		}
		if t.compared = nil; rule == injectionProperty.ID && i == len(steps)-1 {
			if b := r.pasted(ctx, t, step, s, r.send); b != nil {
				all = append(all, replayResult{injectionProperty.Rule, step.Tool, b, s.Exchange})
			}
			t.compared = nil
		}
		if rule == unexplainedRule.ID && i == len(steps)-1 {
			if b := unexplained(ctx, t, step, s, r.send); b != nil {
				all = append(all, replayResult{unexplainedRule, step.Tool, b, s.Exchange})
			}
			t.compared = nil
		}
		if (rule == choiceRule.ID || rule == demandProperty.ID) && i == len(steps)-1 {
			if broken, b := r.breaksPromise(ctx, t, step, s); b != nil {
				all = append(all, replayResult{broken, step.Tool, b, s.Exchange})
			}
		}
		if t.defaults.compared = 0; rule == defaultRule.ID && i == len(steps)-1 {
			if b := r.otherThanDefault(ctx, t, step, s); b != nil {
				all = append(all, replayResult{defaultRule, step.Tool, b, s.Exchange})
			}
		}
		if s.Err != nil && !s.Late || s.Late && rule == "FUZZ-002" {
			return all
		}
		if i == len(steps)-1 && s.Err == nil && !reuse {
			all = append(all, r.afterwards(ctx, t, step, s, rule, before, len(steps)-warm)...)
		}
	}
	return all
}

// opened reports whether there is a session in which all calls got a response.
func (r *runner) opened() bool { return r.session != nil && r.session.Err() == nil && !r.unanswered }

// afterwards returns the violations of the last step of a replay that are not in its own response.
func (r *runner) afterwards(ctx context.Context, t *fuzzTarget, step Step, s *observation, rule string,
	before wire.Usage, calls int) []replayResult {
	var all []replayResult
	switch rule {
	case "FUZZ-010":
		if now, ok := r.session.Usage(); ok {
			if b := leakOf(growth.Between(before, now, calls)); b != nil {
				all = append(all, replayResult{ruleOf(rule), step.Tool, b, nil})
			}
		}
	case "FUZZ-015":
		if b := r.atLimit(ctx, t, step, s); b != nil {
			all = append(all, replayResult{ruleOf(rule), step.Tool, b, s.Exchange})
		}
	case wornRule.ID:
		if b := r.wornOut(ctx, t, step, s); b != nil {
			all = append(all, replayResult{wornRule, step.Tool, b, s.Exchange})
		}
	case "FUZZ-011":
		second := r.send(ctx, t, step, nil)
		if b := differentShape(s, second); b != nil {
			all = append(all, replayResult{ruleOf(rule), step.Tool, b, second.Exchange})
		}
	}
	if r.session != nil && !r.healthy(ctx) && ctx.Err() == nil { // there is none if the server did not start again
		all = append(all, replayResult{ruleOf("FUZZ-009"), step.Tool, deadBreach(), nil})
	}
	return all
}

// Unfolded is the list of steps with repetitions expanded.
func (f *Found) Unfolded() []Step { return unfold(f.Steps) }

// unfold expands repeated steps.
func unfold(steps []Step) []Step {
	var all []Step
	for _, s := range steps {
		n := min(max(s.Times, 1), maxTimes)
		s.Times = 0
		for range n {
			all = append(all, s)
		}
	}
	return all
}

// maxTimes limits how often a file may repeat the same step.
const maxTimes = 10_000

// fold combines equal consecutive steps.
func fold(steps []Step) []Step {
	var all []Step
	for _, s := range steps {
		if n := len(all); n > 0 && sameStep(all[n-1], s) {
			all[n-1].Times = max(all[n-1].Times, 1) + max(s.Times, 1)
			continue
		}
		all = append(all, s)
	}
	return all
}

func sameStep(a, b Step) bool {
	return a.Tool == b.Tool && a.Cancel == b.Cancel && bytes.Equal(a.Arguments, b.Arguments)
}

// healthy reports whether a plain request gets a response.
func (r *runner) healthy(ctx context.Context) bool { return r.sign(ctx, r.waits(nil)) == nil }

// usable is healthy for a session that need not be kept: it gets no more time than it takes to open another.
func (r *runner) usable(ctx context.Context) bool {
	return r.sign(ctx, min(r.waits(nil), max(minHangSuspicion, r.starting))) == nil
}

// sign runs a health check.
func (r *runner) sign(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_, err := r.session.Call(ctx, r.signMethod(), nil)
	return err
}

func (r *runner) signMethod() string {
	if r.session != nil && r.session.Era == spec.Modern {
		return "server/discover"
	}
	return "ping"
}

// ending is the time limit to find out how a server exited after its connection was lost.
const ending = 2 * time.Second

// connectionLost is why a session ended: the exit of the process, if that is known.
func (r *runner) connectionLost(err error) error {
	select {
	case <-r.session.Done():
		return r.session.Err()
	case <-time.After(ending):
		return err
	}
}

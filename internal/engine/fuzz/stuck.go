package fuzz

import (
	"context"
	"slices"
	"time"
)

// A stuckCall is a call that was not awaited although earlier calls of its tool got a response in the same session. They
// may have left a lock behind.
type stuckCall struct {
	history []Step        // of the session, including the call
	waited  time.Duration // for its response
}

// stick records the first call of a tool that is not awaited.
func (t *fuzzTarget) stick(history []Step, s *observation) {
	if len(ownSteps(history, t.name)) > 1 {
		t.stuck = &stuckCall{slices.Clone(history), s.waited}
	}
}

// separate opens a new session for a postponed call, so that earlier calls do not affect it. It reports whether to
// continue.
func (r *runner) separate(ctx context.Context, p scheduledCase) bool {
	if !p.resumed || p.subject.stuck == nil {
		return true
	}
	if !r.look(ctx) {
		return false
	}
	if err := r.fresh(ctx); err != nil {
		r.ended = "cannot restart the server: " + err.Error()
		return false
	}
	return true
}

// gotStuck reports whether a postponed call got a response sooner in a new session, so that it depends on earlier calls
// whether it does.
func (e *evaluated) gotStuck() bool {
	s, stuck := e.observed, e.subject.stuck
	return e.resumed && stuck != nil && s.responded() && s.Exchange.Elapsed < stuck.waited
}

// unstick searches for the earlier call after which a call gets no response. It reports whether to continue.
func (r *runner) unstick(ctx context.Context, e *evaluated) bool {
	late := &observation{Case: e.step.Case, Err: context.DeadlineExceeded, Late: true, early: true}
	r.history = e.subject.stuck.history
	rule, b := evaluate(late)
	return r.breach(ctx, e.scheduledCase, rule, b, late)
}

// suspicion is the time without a response after which a call is suspected to hang while a defect is minimized.
func (r *runner) suspicion(t *fuzzTarget) time.Duration {
	if t.stuck != nil {
		return min(t.stuck.waited, r.opts.Hang)
	}
	return t.latency.suspicion(r.opts.Hang)
}

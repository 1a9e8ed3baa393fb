package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var wornRule = finding.Rule{ID: "FUZZ-025", Severity: finding.Warning,
	Doc: `tool that worked fails after other calls

A valid call succeeded, and failed after other calls of the same session, while it succeeds again in a new one; or it failed
for one reason first, and later always for another one. Earlier calls leave something behind: a transaction that was not
rolled back, a connection that was not given back, a flag, a lock. A user has to restart the server. Release everything
also if a call fails. Messages about rate limits and quotas are not reported.`}

// remember stores the first call of a tool that succeeded, to repeat it after all others; until there is one, the first
// that the tool refused.
func (t *fuzzTarget) remember(step Step, s *observation) {
	if !step.Allowed || step.Cancel || !t.readOnly || t.most > 0 || t.worked != nil && t.reason == "" {
		return
	}
	switch {
	case accepted(s):
		t.worked, t.reason = &step, ""
	case t.worked == nil && s.refused():
		t.worked, t.reason = &step, s.reason()
	}
}

// wearOut repeats the first successful call of each tool after all other calls, and reports tools that now fail. It
// reports whether to continue.
func (r *runner) wearOut(ctx context.Context) bool {
	for _, t := range r.tools {
		if t.worked == nil || t.isSkipped() || ctx.Err() != nil || r.over() || r.session == nil {
			continue
		}
		before, _ := r.session.Usage()
		s, calls := r.repeat(ctx, t)
		if b := r.keeps(before, calls); b != nil {
			if !r.breach(ctx, scheduledCase{subject: t, step: *t.worked}, ruleOf("FUZZ-010"), b, &observation{Case: s.Case}) {
				return false
			}
			continue
		}
		if _, known := evaluate(s); known != nil || t.same(s) || !s.refused() || r.known(shapeKey(t)) != nil {
			continue // another rule says more about it
		}
		history := slices.Clone(r.history)
		if r.fresh(ctx) != nil {
			return false
		}
		b := r.wornOut(ctx, t, *t.worked, s)
		if b == nil {
			continue
		}
		r.history = history
		if !r.breach(ctx, scheduledCase{subject: t, step: *t.worked}, wornRule, b, s) {
			return false
		}
	}
	return true
}

// Limits of repeating a call.
const (
	wornCalls = 40                    // calls of a quick tool: pools of connections are often smaller
	wornTime  = 20 * time.Millisecond // how long a quick one takes
)

// repeat makes the remembered call of a tool again, often if it is quick, until it ends differently.
func (r *runner) repeat(ctx context.Context, t *fuzzTarget) (s *observation, calls int) {
	for calls = 0; calls == 0 || calls < wornCalls && t.spent < time.Duration(t.latency.answers)*wornTime; calls++ {
		if s = r.call(ctx, t, *t.worked, nil); !t.same(s) || ctx.Err() != nil || r.over() {
			break
		}
	}
	return s, calls
}

// keeps is the violation of a tool that kept something of equal calls: a file or a process of every other call, or much
// memory.
func (r *runner) keeps(before wire.Usage, calls int) *violation {
	if r.session == nil {
		return nil
	}
	after, ok := r.session.Usage()
	if !ok || before.Memory == 0 || calls < wornCalls {
		return nil
	}
	if tasks := after.Processes - before.Processes; tasks >= calls/2 {
		return leakOf(growth.Of("processes", "processes", tasks, calls))
	}
	if files := after.Handles - before.Handles; files >= calls/2 {
		return leakOf(growth.Of("files", "open files", files, calls))
	}
	return leakOf(growth.Between(before, after, calls))
}

// same reports whether the remembered call ended as it did the first time: it succeeded, or failed for the same reason.
func (t *fuzzTarget) same(s *observation) bool {
	if t.reason == "" {
		return s.responded() && accepted(s)
	}
	return s.refused() && s.reason() == t.reason
}

// refused reports whether a valid call failed for another reason than a limit that the server states.
func (s *observation) refused() bool {
	return s.responded() && !accepted(s) && !words.LimitCalls(s.errorText())
}

// reason is the message of a call that failed, without numbers.
func (s *observation) reason() string {
	return digits().ReplaceAllString(clip.Sized(s.errorText(), maxDisplayed), "#")
}

// wornOut is the violation of a call that failed, if it succeeds in a new session, or always fails for another reason
// there.
func (r *runner) wornOut(ctx context.Context, t *fuzzTarget, step Step, s *observation) *violation {
	if !step.Allowed || !s.refused() || r.fresh(ctx) != nil {
		return nil
	}
	alone := r.send(ctx, t, step, nil)
	now := clip.Sized(s.errorText(), maxDisplayed)
	switch {
	case !alone.responded():
		return nil
	case accepted(alone):
		return &violation{cause: "worn", message: "a call that succeeds in a new session fails after other calls: " + now}
	case !alone.refused() || alone.reason() == s.reason() || r.fresh(ctx) != nil:
		return nil
	}
	if again := r.send(ctx, t, step, nil); !again.refused() || again.reason() != alone.reason() {
		return nil // it fails for another reason each time
	}
	return &violation{cause: "reason", message: "a call fails for another reason after other calls: " + now +
		", and in a new session: " + clip.Sized(alone.errorText(), maxDisplayed)}
}

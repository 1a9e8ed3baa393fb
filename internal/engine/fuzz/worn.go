package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

var wornRule = finding.Rule{ID: "FUZZ-025", Severity: finding.Warning,
	Doc: `tool that worked fails after other calls

A valid call succeeded, and failed after other calls of the same session, while it succeeds again in a new one. Earlier
calls leave something behind: a transaction that was not rolled back, a connection that was not given back, a flag, a lock.
A user has to restart the server. Release everything also if a call fails. Messages about rate limits and quotas are not
reported.`}

// limits matches messages of servers that limit calls on purpose.
var limits = lazyregexp.New(`(?i)rate.?limit|quota|too many requests|slow down|throttl|no more (?:pages|items|results)`)

// remember stores the first call of a tool that succeeded, to repeat it after all others.
func (t *fuzzTarget) remember(step Step, s *observation) {
	if t.worked == nil && step.Allowed && !step.Cancel && t.readOnly && t.most == 0 && accepted(s) {
		t.worked = &step
	}
}

// wearOut repeats the first successful call of each tool after all other calls, and reports tools that now fail. It
// reports whether to continue.
func (r *runner) wearOut(ctx context.Context) bool {
	for _, t := range r.tools {
		if t.worked == nil || t.isSkipped() || ctx.Err() != nil || r.over() || r.session == nil {
			continue
		}
		s := r.repeat(ctx, t)
		if _, known := evaluate(s); known != nil || !s.refused() {
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

// repeat makes the first successful call of a tool again, often if it is quick, until it fails.
func (r *runner) repeat(ctx context.Context, t *fuzzTarget) (s *observation) {
	for n := 0; n == 0 || n < wornCalls && t.spent < time.Duration(t.latency.answers)*wornTime; n++ {
		if s = r.call(ctx, t, *t.worked, nil); !s.responded() || !accepted(s) || ctx.Err() != nil || r.over() {
			break
		}
	}
	return s
}

// refused reports whether a valid call failed for another reason than a limit that the server states.
func (s *observation) refused() bool {
	return s.responded() && !accepted(s) && !limits().MatchString(errorText(s.Exchange.Reply))
}

// wornOut is the violation of a call that failed, if it succeeds in a new session.
func (r *runner) wornOut(ctx context.Context, t *fuzzTarget, step Step, s *observation) *violation {
	if !step.Allowed || !s.refused() || r.fresh(ctx) != nil {
		return nil
	}
	if alone := r.send(ctx, t, step, nil); !alone.responded() || !accepted(alone) {
		return nil
	}
	return &violation{cause: "worn", message: "a call that succeeds in a new session fails after other calls: " +
		clip.Sized(errorText(s.Exchange.Reply), maxDisplayed)}
}

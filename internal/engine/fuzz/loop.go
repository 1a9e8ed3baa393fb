package fuzz

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A seen is a response, and what it violates once it is checked.
type seen struct {
	planned
	sight  *sight
	judged bool
	rule   finding.Rule
	breach *breach
}

func (s *seen) judge() {
	if !s.judged {
		s.judged = true
		s.rule, s.breach = judge(s.sight)
	}
}

// loop makes the calls. A response is checked, and the next case generated, while the server works on the following
// call.
func (r *runner) loop(ctx context.Context) {
	if len(r.tools) == 0 {
		return
	}
	for r.ahead.total = r.calls(); r.ahead.more(); {
		if ctx.Err() != nil || r.over() || len(r.found) >= maxFound || r.trouble.enough() {
			break
		}
		p := r.take()
		if !p.subject.aside() && !r.one(ctx, p) {
			return
		}
		r.tire(p.subject)
	}
	r.look(ctx)
}

// over reports whether the time limit is reached.
func (r *runner) over() bool { return r.opts.Duration > 0 && time.Since(r.started) > r.opts.Duration }

// one makes a call. It reports whether to continue.
func (r *runner) one(ctx context.Context, p planned) bool {
	if r.opts.Stateful {
		r.mined.feed(&p, r.done)
	}
	session := r.session
	s := r.call(ctx, p.subject, p.step, r.meanwhile)
	if r.unjudged != nil {
		r.history = r.history[:len(r.history)-1] // the previous response comes first
		if !r.look(ctx) {
			return false
		}
		if r.session != session {
			return r.one(ctx, p) // the call was sent in a session that no longer exists
		}
		r.history = append(r.history, p.step)
	}
	r.done++
	r.progress(p.subject.name)
	r.unjudged = &seen{planned: p, sight: s}
	if !s.answered() || r.opts.Stateful || p.repeat || r.done%healthEvery == 0 {
		return r.look(ctx) // the next step depends on it
	}
	return true
}

// meanwhile runs while the server works.
func (r *runner) meanwhile() {
	if r.unjudged != nil {
		r.unjudged.judge()
	}
	r.fill()
}

// look processes the last response. It reports whether to continue.
func (r *runner) look(ctx context.Context) bool {
	last := r.unjudged
	if r.unjudged = nil; last == nil {
		return true
	}
	if last.sight.answered() {
		r.trouble.streak = 0
	}
	if last.judge(); last.breach != nil {
		return r.breach(ctx, last.planned, last.rule, last.breach, last.sight)
	}
	if r.opts.Stateful {
		r.mined.learn(last.sight.Exchange)
	}
	if b := r.atLimit(ctx, last.subject, last.step, last.sight); b != nil {
		return r.breach(ctx, last.planned, ruleOf("FUZZ-015"), b, last.sight)
	}
	if b := r.otherThanDefault(ctx, last.subject, last.step, last.sight); b != nil {
		return r.breach(ctx, last.planned, defaultRule, b, last.sight)
	}
	if last.repeat {
		again := r.call(ctx, last.subject, last.step, nil)
		if rule, b := judge(again); b != nil && again.answered() {
			return r.breach(ctx, last.planned, rule, b, again)
		}
		if b := differentShape(last.sight, again); b != nil {
			return r.breach(ctx, last.planned, ruleOf("FUZZ-011"), b, again)
		}
	}
	if r.done%healthEvery == 0 {
		return r.checkHealth(ctx, last.planned)
	}
	return true
}

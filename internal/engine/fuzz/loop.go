package fuzz

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A evaluated is a response, and what it violates once it is checked.
type evaluated struct {
	scheduledCase
	observed *observation
	done     bool
	rule     finding.Rule
	breach   *violation
}

func (s *evaluated) evaluate() {
	if !s.done {
		s.done = true
		s.rule, s.breach = evaluate(s.observed)
	}
}

// loop makes the calls. A response is checked, and the next case generated, while the server works on the following
// call.
func (r *runner) loop(ctx context.Context) {
	if len(r.tools) == 0 {
		return
	}
	for r.prefetched.total = r.calls(); r.more(); {
		if r.late = r.over(); ctx.Err() != nil || r.late || len(r.found) >= maxFound || r.failures.enough() {
			break
		}
		p := r.take()
		if p == nil {
			break
		}
		if !p.subject.isSkipped() && !r.one(ctx, *p) {
			return
		}
		r.skipSlow(p.subject)
	}
	if !r.look(ctx) || !r.resume(ctx) || !r.wearOut(ctx) {
		return
	}
	r.testParser(ctx)
}

// testParser makes one call that tests the parser of the server, after all others: several SDKs do not respond to it,
// and to confirm that takes longer than all other calls.
func (r *runner) testParser(ctx context.Context) {
	if r.last == nil || ctx.Err() != nil || r.over() || len(r.found) >= maxFound || r.failures.enough() ||
		r.last.subject.isSkipped() {
		return
	}
	if r.one(ctx, *r.last) {
		r.look(ctx)
	}
}

// over reports whether the time limit is reached, and nothing else is waited for.
func (r *runner) over() bool {
	if r.opts.Duration == 0 || time.Since(r.started) <= r.opts.Duration {
		return false
	}
	select {
	case <-r.opts.Beside:
		return true
	default:
		return r.opts.Beside == nil
	}
}

// one makes a call. It reports whether to continue.
func (r *runner) one(ctx context.Context, p scheduledCase) bool {
	if r.opts.Stateful && !p.step.Cancel {
		r.mined.Feed(p.subject.gen, &p.step.Case, r.done)
	}
	if !r.separate(ctx, p) {
		return false
	}
	session := r.session
	if r.resuming, r.requestsProgress = p.resumed, p.resumed; p.resumed {
		p.subject.turns.postponed = nil
	}
	s := r.call(ctx, p.subject, p.step, r.meanwhile)
	r.resuming, r.requestsProgress = false, false
	p.subject.turns.tooLong = p.subject.turns.tooLong || p.resumed && !s.responded() && s.Err == nil
	if r.unevaluated != nil {
		r.history = r.history[:len(r.history)-1] // the previous response comes first
		if !r.look(ctx) {
			return false
		}
		if r.session != session {
			return r.one(ctx, p) // the call was sent in a session that no longer exists
		}
		r.history = append(r.history, p.step)
	}
	if !p.resumed { // it was counted before
		r.done++
	}
	r.progress(p.subject.name)
	r.unevaluated = &evaluated{scheduledCase: p, observed: s}
	if !s.responded() || r.opts.Stateful || p.repeat || r.done%healthEvery == 0 {
		return r.look(ctx) // the next step depends on it
	}
	return true
}

// meanwhile runs while the server works.
func (r *runner) meanwhile() {
	if r.unevaluated != nil {
		r.unevaluated.evaluate()
	}
	r.fill()
}

// look processes the last response. It reports whether to continue.
func (r *runner) look(ctx context.Context) bool {
	last := r.unevaluated
	if r.unevaluated = nil; last == nil {
		return true
	}
	if last.observed.abandoned {
		return r.abandon(ctx, last.scheduledCase, last.observed)
	}
	if last.gotStuck() {
		return r.unstick(ctx, last)
	}
	if last.observed.responded() {
		r.failures.streak = 0
		r.results.add(last.observed)
		last.subject.failing.count(last.step, last.observed)
		last.subject.remember(last.step, last.observed)
		last.subject.learn(last.step, last.observed)
		if !last.step.Cancel {
			last.subject.gen.Saw(last.step.Case, last.observed.fruitful())
			r.lend(last.subject, last.observed)
		}
	}
	last.evaluate()
	last.breach = r.confirmed(ctx, last.subject, last.step, last.breach, r.call)
	if last.breach == nil || mayHidePasted(last.rule.ID) {
		if b := r.pasted(ctx, last.subject, last.step, last.observed, r.call); b != nil {
			return r.breach(ctx, last.scheduledCase, injectionProperty.Rule, b, last.observed)
		}
	}
	if last.breach != nil {
		return r.breach(ctx, last.scheduledCase, last.rule, last.breach, last.observed)
	}
	if ex := last.observed.Exchange; r.opts.Stateful && ex != nil && ex.Reply != nil {
		r.mined.Learn(ex.Reply.Result)
	}
	if rule, b, s := r.compare(ctx, last); b != nil {
		return r.breach(ctx, last.scheduledCase, rule, b, s)
	}
	if r.done%healthEvery == 0 {
		return r.checkHealth(ctx, last.scheduledCase)
	}
	return true
}

// compare makes other calls whose responses must agree with the last one, and returns the violation, if any.
func (r *runner) compare(ctx context.Context, last *evaluated) (finding.Rule, *violation, *observation) {
	t, s := last.subject, last.observed
	if r.yields(t) {
		return finding.Rule{}, nil, nil
	}
	if b := r.atLimit(ctx, t, last.step, s); b != nil {
		return ruleOf("FUZZ-015"), b, s
	}
	if b := decides(ctx, t, last.step, s, r.call); b != nil {
		return injectionProperty.Rule, b, s
	}
	if rule, b := r.breaksPromise(ctx, t, last.step, s); b != nil {
		return rule, b, s
	}
	if r.hasFewCalls(t) {
		return finding.Rule{}, nil, nil
	}
	if b := unexplained(ctx, t, last.step, s, r.call); b != nil {
		return unexplainedRule, b, s
	}
	if b := r.otherThanDefault(ctx, t, last.step, s); b != nil {
		return defaultRule, b, s
	}
	if last.repeat {
		again := r.call(ctx, t, last.step, nil)
		if rule, b := evaluate(again); b != nil && again.responded() {
			return rule, b, again
		}
		return ruleOf("FUZZ-011"), differentShape(s, again), again
	}
	return finding.Rule{}, nil, nil
}

package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// minimize searches for the smallest steps that violate the same property in the same way in a fresh session. If one
// call is enough, its values are reduced; otherwise the sequence is shortened. The number of replays is limited: the
// time limit matters only for slow servers.
func (r *runner) minimize(ctx context.Context, p scheduledCase, f *Found, key string) {
	history := slices.Clone(r.history)
	f.Steps = []Step{p.step}
	if f.Rule.ID == "FUZZ-010" {
		f.Steps[0].Times = growthCalls
	}
	start, suspicion := time.Now(), r.suspicion(p.subject)
	defer func() { r.shrinking += time.Since(start); r.callTimeout, r.requestsProgress = 0, false }()
	limit := max(min(r.opts.Shrink, shrinkTimes*r.opts.Shrink-r.shrinking), time.Second)
	m := &reduction{r: r, found: f, key: key}
	if m.inSession(ctx, limit/2) {
		return
	}
	r.readyFor(ctx, f.Rule)
	limited, cancel := context.WithTimeout(ctx, limit+2*suspicion+shrinkStarts*r.starting)
	defer cancel()
	r.slow = false
	m.wait(suspicion)
	if !m.shows(limited, f.Steps) && !m.plainGrowth(limited, p.subject) {
		if r.slow {
			f.Unrepeated = limited.Err() != nil
			return // earlier calls are not the cause
		}
		if f.Steps = m.tail(limited, ownSteps(history, p.step.Tool)); f.Steps == nil {
			f.Steps = m.tail(limited, history)
		}
		if f.Steps == nil {
			f.Steps, f.Unrepeated = []Step{p.step}, limited.Err() != nil
			return
		}
	}
	f.Repeats = true
	if silent(f.Rule.ID) {
		f.After += time.Since(start) // until now, it was a suspicion
	}
	r.progress(p.subject.name + ": " + f.Rule.ID + ": minimizing")
	first := slices.Clone(f.Steps)
	for _, times := range []time.Duration{1, calmTimes} {
		m.hurry(times)
		f.Steps = m.values(limited, m.shorter(limited, m.plainer(limited, first)))
		if m.settled(ctx, f.Steps) {
			return
		}
		f.Steps = first
		if f.Repeats = !silent(f.Rule.ID) || m.settled(ctx, first); !f.Repeats {
			return
		}
	}
}

// readyFor opens the session in which a call without a response is repeated, before the time for it begins: a check has the
// first session of a run ready, so that nothing is known about how long a start takes.
func (r *runner) readyFor(ctx context.Context, rule finding.Rule) {
	if silent(rule.ID) && r.session != nil && !overHTTP(r.session) && !(r.unused && r.opened()) {
		_ = r.fresh(ctx) // the attempt to repeat the call opens one if there is none
	}
}

// A deferred is a defect that is minimized after all calls.
type deferred struct {
	p       scheduledCase
	found   *Found
	key     string
	history []Step // of its session
}

// slowStart is how long a server takes to start if its crashes are minimized last: each attempt starts it again.
const slowStart = time.Second

// defersMinimizing reports whether to minimize a defect after all calls, so that a time limit leaves time for the others.
func (r *runner) defersMinimizing(rule finding.Rule) bool {
	return r.opts.Duration > 0 && rule.ID == crashRule && r.starting > slowStart && len(r.tools) > 1
}

// minimizeDeferred minimizes the defects that were deferred.
func (r *runner) minimizeDeferred(ctx context.Context) {
	for _, d := range r.deferred {
		if d.found.Unrepeated = ctx.Err() != nil; d.found.Unrepeated {
			continue
		}
		r.history = d.history
		r.minimize(ctx, d.p, d.found, d.key)
		d.found.Unrepeated = !d.found.Repeats && (d.found.Unrepeated || ctx.Err() != nil)
	}
}

// inSession minimizes the call in the session that showed the defect, and reports whether the result shows it in a new
// session too. It saves opening a session for the first attempt; a defect that depends on earlier calls needs one.
func (m *reduction) inSession(ctx context.Context, limit time.Duration) bool {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	call := m.found.Steps
	if m.reuse = inResponse(m.found.Rule.ID) && m.r.opened(); !m.reuse {
		return false
	}
	m.wait(0)
	if m.shows(limited, call) {
		m.found.Steps = m.values(limited, m.shorter(limited, slices.Clone(call)))
		m.found.Repeats = m.settled(ctx, m.found.Steps)
	}
	if !m.found.Repeats {
		m.found.Steps, m.reuse, m.tries = call, false, 0
	}
	return m.found.Repeats
}

// inResponse reports whether the response to one call shows that a rule is violated, or a comparison with calls right
// after it.
func inResponse(rule string) bool {
	return rule >= "FUZZ-003" && rule <= "FUZZ-008" || rule == "FUZZ-014" || rule >= "FUZZ-016" && rule <= "FUZZ-018" ||
		rule >= "FUZZ-020" && rule <= "FUZZ-024" || rule == narrowProperty.ID ||
		rule == disagreeProperty.ID || rule == choiceRule.ID || rule == unexplainedRule.ID || rule == mirrorProperty.ID ||
		rule == dayProperty.ID || rule == zerosProperty.ID || rule == defaultRule.ID
}

// settled repeats the steps in a separate session and with the full timeout: a call that is slow, or reports progress,
// does not hang.
func (m *reduction) settled(ctx context.Context, steps []Step) bool {
	if !silent(m.found.Rule.ID) && !m.reuse {
		return true // every attempt was like that
	}
	m.reuse, m.tries = false, 0
	m.wait(m.r.opts.Hang)
	return m.shows(ctx, steps)
}

// wait sets the response timeout. If the defect is a missing response, the request asks for progress notifications.
func (m *reduction) wait(patience time.Duration) {
	m.r.callTimeout, m.r.requestsProgress = m.r.opts.Hang, false
	if silent(m.found.Rule.ID) {
		m.r.callTimeout, m.r.requestsProgress = patience, true
	}
}

// plainGrowth replaces a call that leaks nothing with the plainest call: growth is sampled only now and then, so other
// calls may be the cause.
func (m *reduction) plainGrowth(ctx context.Context, t *fuzzTarget) bool {
	if m.found.Rule.ID != "FUZZ-010" {
		return false
	}
	steps := []Step{{Case: t.gen.Plainest(), Times: growthCalls}}
	if !m.shows(ctx, steps) {
		return false
	}
	m.found.Steps = steps
	return true
}

// crashRule is the rule that no call crashes the server.
const crashRule = "FUZZ-001"

// hurry spends less on each attempt. If the defect is a missing response, the timeout is shorter: a call that hangs
// always takes the whole timeout. If one call alone shows the defect, a session in which all
// calls got a response is reused. The result is verified again at the end.
func (m *reduction) hurry(times time.Duration) {
	switch id := m.found.Rule.ID; {
	case silent(id):
		m.r.requestsProgress, m.reuse = false, id == "FUZZ-002" && len(m.found.Steps) == 1 && times == 1
		m.r.callTimeout = min(m.r.opts.Hang, times*max(leastHang, hangTimes*m.r.latency.second))
	case inResponse(id), id == crashRule:
		m.reuse = len(m.found.Steps) == 1 && times == 1
	}
}

package fuzz

import (
	"context"
	"slices"
	"time"
)

// minimize looks for the smallest steps that break the same property in the same way on a fresh session. What one call
// alone shows is made smaller by its values; else the sequence is made shorter. It is bounded by a number of replays: time
// ends it only where a server is slow.
func (r *runner) minimize(ctx context.Context, p planned, f *Found, key string) {
	history := slices.Clone(r.history)
	f.Steps = []Step{p.step}
	if f.Rule.ID == "FUZZ-010" {
		f.Steps[0].Times = growthCalls
	}
	start, suspicion := time.Now(), p.subject.pace.suspicion(r.opts.Hang)
	defer func() { r.shrinking += time.Since(start); r.patience, r.asks = 0, false }()
	limited, cancel := context.WithTimeout(ctx, max(min(r.opts.Shrink, shrinkTimes*r.opts.Shrink-r.shrinking), time.Second)+2*suspicion+shrinkStarts*r.starting)
	defer cancel()
	m := &reduction{r: r, found: f, key: key}
	r.slow = false
	m.wait(suspicion)
	if !m.shows(limited, f.Steps) && !m.plainGrowth(limited, p.subject) {
		if r.slow {
			return // calls before it have no part in that
		}
		if f.Steps = m.tail(limited, ownSteps(history, p.step.Tool)); f.Steps == nil {
			f.Steps = m.tail(limited, history)
		}
		if f.Steps == nil {
			f.Steps = []Step{p.step}
			return
		}
	}
	f.Repeats = true
	if silent(f.Rule.ID) {
		f.After += time.Since(start) // before, it was a suspicion
	}
	r.progress(p.subject.name + ": " + f.Rule.ID + " is made smaller")
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

// settled looks at steps once more, on a session of their own and with all patience: what is slow, or tells how far it is,
// does not hang.
func (m *reduction) settled(ctx context.Context, steps []Step) bool {
	if !silent(m.found.Rule.ID) && !m.reuse {
		return true // every try was like that
	}
	m.reuse, m.tries = false, 0
	m.wait(m.r.opts.Hang)
	return m.shows(ctx, steps)
}

// wait says how long answers are waited for. Where silence is what is looked for, the server is asked to tell how far it is.
func (m *reduction) wait(patience time.Duration) {
	m.r.patience, m.r.asks = m.r.opts.Hang, false
	if silent(m.found.Rule.ID) {
		m.r.patience, m.r.asks = patience, true
	}
}

// plainGrowth puts the plainest call in the place of one that leaves nothing behind: what grows is seen only now and then,
// after calls that may be others.
func (m *reduction) plainGrowth(ctx context.Context, t *subject) bool {
	if m.found.Rule.ID != "FUZZ-010" {
		return false
	}
	steps := []Step{{Case: t.gen.plainest, Times: growthCalls}}
	if !m.shows(ctx, steps) {
		return false
	}
	m.found.Steps = steps
	return true
}

// hurry spends less on each try. Answers are given less time where silence is what is looked for: a call that hangs takes
// all that it is given. Where the answer alone tells, no session is opened for it. What comes of it is looked at again in
// the end.
func (m *reduction) hurry(times time.Duration) {
	switch id := m.found.Rule.ID; {
	case silent(id):
		m.r.asks = false
		m.r.patience = min(m.r.opts.Hang, times*max(leastHang, hangTimes*m.r.pace.second))
	case id >= "FUZZ-003" && id <= "FUZZ-008" || id == "FUZZ-014" || id >= "FUZZ-016" && id <= "FUZZ-018" || id == "FUZZ-020":
		m.reuse = len(m.found.Steps) == 1 && times == 1
	}
}

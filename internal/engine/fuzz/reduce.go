package fuzz

import (
	"context"
	"slices"
	"time"
)

// Bounds of making one defect smaller.
const (
	maxTries    = 400                    // replays
	growthCalls = 2 * growthFiles        // of a call that leaves something behind each time
	leastHang   = 500 * time.Millisecond // silence that a smaller call is given at least
	hangTimes   = 20                     // as long as the slowest answer took
	fewSteps    = 8                      // a sequence that is short enough to look at each of its steps
	sureTimes   = 3                      // as long as a call may stay without an answer, to be sure that it hangs
	shrinkTimes = 5                      // as long as for one defect it may take for all
)

// A reduction makes the steps of one defect smaller.
type reduction struct {
	r     *runner
	found *Found
	key   string
	tries int
	reuse bool // a session that is open will do: the answer alone tells
}

// minimize looks for the smallest steps that break the same property in the same way on a fresh session. What one call
// alone shows is made smaller by its values; else the sequence is made shorter. It is bounded by a number of replays: time
// ends it only where a server is slow.
func (r *runner) minimize(ctx context.Context, p planned, f *Found, key string) {
	history := slices.Clone(r.history)
	f.Steps = []Step{p.step}
	if f.Rule.ID == "FUZZ-010" {
		f.Steps[0].Times = growthCalls
	}
	start := time.Now()
	defer func() { r.shrinking += time.Since(start); r.patience = r.opts.Hang }()
	limited, cancel := context.WithTimeout(ctx, max(min(r.opts.Shrink, shrinkTimes*r.opts.Shrink-r.shrinking), time.Second)+2*sureTimes*r.opts.Hang)
	defer cancel()
	m := &reduction{r: r, found: f, key: key}
	if !m.sure(limited, f.Steps) && !m.plainGrowth(limited, p.subject) {
		if f.Steps = m.tail(limited, history); f.Steps == nil {
			f.Steps = []Step{p.step}
			return
		}
	}
	f.Repeats = true
	sure := slices.Clone(f.Steps)
	m.hurry()
	f.Steps = m.values(limited, m.shorter(limited, m.plainer(limited, f.Steps)))
	if m.reuse = false; r.patience < r.opts.Hang || len(sure) == 1 {
		if again := (&reduction{r: r, found: f, key: key}); !again.sure(ctx, f.Steps) {
			f.Steps = sure // on a session of its own, or with more patience, the smaller one shows nothing
		}
	}
}

// plainGrowth puts the plainest call in the place of one that leaves nothing behind: what grows is seen only now and then,
// after calls that may be others.
func (m *reduction) plainGrowth(ctx context.Context, t *subject) bool {
	if m.found.Rule.ID != "FUZZ-010" {
		return false
	}
	steps := []Step{{Case: t.gen.plainest, Times: growthCalls}}
	if !m.sure(ctx, steps) {
		return false
	}
	m.found.Steps = steps
	return true
}

// sure reports whether steps show the defect with all patience: a call that is slow, or tells how far it is, does not hang.
func (m *reduction) sure(ctx context.Context, steps []Step) bool {
	m.r.patience, m.r.asks = m.r.opts.Hang, false
	if m.silence() {
		m.r.patience, m.r.asks = sureTimes*m.r.opts.Hang, true
	}
	defer func() { m.r.patience, m.r.asks = m.r.opts.Hang, false }()
	return m.shows(ctx, steps)
}

func (m *reduction) silence() bool {
	return m.found.Rule.ID == "FUZZ-002" || m.found.Rule.ID == "FUZZ-009"
}

// hurry spends less on each try. Answers are given less time where silence is what is looked for: a call that hangs takes
// all that it is given. Where the answer alone tells, no session is opened for it. What comes of it is looked at again in
// the end.
func (m *reduction) hurry() {
	switch id := m.found.Rule.ID; {
	case m.silence():
		m.r.patience = min(m.r.opts.Hang, max(leastHang, hangTimes*m.r.slowest))
	case id >= "FUZZ-003" && id <= "FUZZ-008":
		m.reuse = len(m.found.Steps) == 1
	}
}

// shows reports whether steps show the defect, and remembers how.
func (m *reduction) shows(ctx context.Context, steps []Step) bool {
	if m.tries++; m.tries > maxTries || ctx.Err() != nil {
		return false
	}
	for _, seen := range m.r.replay(ctx, steps, m.found.Rule.ID, m.reuse) {
		if sameDefect(keyOf(seen.rule, seen.tool, seen.breach), m.key) {
			m.found.Breach, m.found.Frames = seen.breach.message, framesOf(seen.exchange)
			return true
		}
	}
	return false
}

// tail is the shortest of the last calls of a session, in powers of two, that show the defect; nil if none do.
func (m *reduction) tail(ctx context.Context, history []Step) []Step {
	for n := 2; ; n *= 2 {
		last := history[max(0, len(history)-n):]
		if len(last) > 1 && m.sure(ctx, last) {
			return last
		}
		if n >= len(history) || ctx.Err() != nil {
			return nil
		}
	}
}

// plainer puts the plainest call of each tool in the place of all steps of a long sequence, if it is their number alone that
// matters.
func (m *reduction) plainer(ctx context.Context, steps []Step) []Step {
	if len(steps) <= fewSteps {
		return steps
	}
	plain := slices.Clone(steps)
	for i, s := range plain[:len(plain)-1] {
		if t := m.r.subject(s.Tool); t != nil {
			plain[i] = Step{Case: t.gen.plainest}
		}
	}
	all := slices.Clone(plain)
	if t := m.r.subject(plain[len(plain)-1].Tool); t != nil {
		all[len(all)-1] = Step{Case: t.gen.plainest}
	}
	for _, candidate := range [][]Step{all, plain} {
		if m.shows(ctx, candidate) {
			return fold(candidate)
		}
	}
	return steps
}

// shorter makes a sequence as short as it can be: parts of it are left out, halves first, then single steps, and what is
// repeated is repeated less often.
func (m *reduction) shorter(ctx context.Context, steps []Step) []Step {
	for part := max(len(steps)/2, 1); len(steps) > 1; part = max(part/2, 1) {
		for start := 0; start < len(steps) && len(steps) > 1; {
			end := min(start+part, len(steps))
			rest := slices.Concat(steps[:start], steps[end:])
			if len(rest) > 0 && m.shows(ctx, rest) {
				steps = rest
			} else {
				start = end
			}
		}
		if part == 1 {
			break
		}
	}
	if m.found.Rule.ID == "FUZZ-010" {
		return steps // the more often, the surer
	}
	for i := range steps {
		steps = m.let(ctx, m.fewer(ctx, steps, i), i)
	}
	return steps
}

// let does not cancel a step that need not be.
func (m *reduction) let(ctx context.Context, steps []Step, i int) []Step {
	next := slices.Clone(steps)
	if next[i].Cancel = false; steps[i].Cancel && m.shows(ctx, next) {
		return next
	}
	return steps
}

// fewer finds how often a step must be repeated, by halves.
func (m *reduction) fewer(ctx context.Context, steps []Step, i int) []Step {
	low, high := 0, max(steps[i].Times, 1) // high times show it, low times do not
	for high-low > 1 && ctx.Err() == nil && m.tries < maxTries {
		next := slices.Clone(steps)
		next[i].Times = (low + high) / 2
		if m.shows(ctx, next) {
			steps, high = next, next[i].Times
		} else {
			low = next[i].Times
		}
	}
	return steps
}

// values makes the arguments of each step as small as they can be: no simpler value in any place shows the defect.
func (m *reduction) values(ctx context.Context, steps []Step) []Step {
	for i := range steps {
		t := m.r.subject(steps[i].Tool)
		if t == nil {
			continue
		}
		tried := map[string]bool{string(steps[i].Arguments): true}
		for {
			next := m.simplerStep(ctx, steps, i, t, tried)
			if next == nil {
				break
			}
			steps = next
		}
	}
	return steps
}

// simplerStep finds steps that show the defect and differ in one step whose arguments are simpler; nil if there are none.
func (m *reduction) simplerStep(ctx context.Context, steps []Step, i int, t *subject, tried map[string]bool) []Step {
	for _, candidate := range simpler(steps[i].Arguments, 0) {
		if ctx.Err() != nil || m.tries >= maxTries {
			return nil
		}
		if tried[string(candidate)] || !simplerThan(candidate, steps[i].Arguments) {
			continue
		}
		tried[string(candidate)] = true
		next := slices.Clone(steps)
		next[i].Arguments = candidate
		t.gen.Judge(&next[i].Case)
		if m.shows(ctx, next) {
			return next
		}
	}
	return nil
}

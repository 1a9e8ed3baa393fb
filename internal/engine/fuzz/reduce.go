package fuzz

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
)

// Limits of the minimization of one defect.
const (
	maxTries     = 400                 // replays
	growthCalls  = 4 * growth.MinFiles // of a call that leaks something each time
	warmCalls    = 3                   // the fraction of them after which a process has warmed up
	shrinkStarts = 3                   // sessions whose opening does not count, since a server may start slowly
	fewSteps     = 8                   // a sequence that is short enough to check each of its steps
	shrinkTimes  = 5                   // time limit for all defects, as a multiple of the limit for one
)

// A reduction minimizes the steps of one defect.
type reduction struct {
	r     *runner
	found *Found
	key   string
	tries int
	reuse bool // an open session can be reused: the response alone shows the defect
}

// shows reports whether steps reproduce the defect, and records how.
func (m *reduction) shows(ctx context.Context, steps []Step) bool {
	if m.tries++; m.tries > maxTries || ctx.Err() != nil {
		return false
	}
	for _, seen := range m.r.replay(ctx, steps, m.found.Rule.ID, m.reuse) {
		if sameDefect(keyOf(seen.rule, seen.tool, seen.breach), m.key) {
			m.found.Breach, m.found.Frames = seen.breach.message, seen.breach.frames(seen.exchange)
			m.found.FailedBefore = m.r.failedBefore
			return true
		}
	}
	return false
}

// ownSteps are the last few calls of one tool: the state of a tool usually depends on its own calls.
func ownSteps(history []Step, tool string) []Step {
	own := slices.DeleteFunc(slices.Clone(history), func(s Step) bool { return s.Tool != tool })
	return own[max(0, len(own)-fewSteps):]
}

// tail is the shortest sequence of the last calls of a session, in powers of two, that reproduces the defect; nil if
// none does.
func (m *reduction) tail(ctx context.Context, history []Step) []Step {
	for n := 2; ; n *= 2 {
		last := history[max(0, len(history)-n):]
		if len(last) > 1 && m.shows(ctx, last) {
			return last
		}
		if n >= len(history) || ctx.Err() != nil {
			return nil
		}
	}
}

// plainer replaces all steps of a long sequence with the plainest call of each tool, if only their number matters.
func (m *reduction) plainer(ctx context.Context, steps []Step) []Step {
	if len(steps) <= fewSteps {
		return steps
	}
	plain := slices.Clone(steps)
	for i, s := range plain[:len(plain)-1] {
		if t := m.r.subject(s.Tool); t != nil {
			plain[i] = Step{Case: t.gen.Plainest()}
		}
	}
	all := slices.Clone(plain)
	if t := m.r.subject(plain[len(plain)-1].Tool); t != nil {
		all[len(all)-1] = Step{Case: t.gen.Plainest()}
	}
	for _, candidate := range [][]Step{all, plain} {
		if m.shows(ctx, candidate) {
			return fold(candidate)
		}
	}
	return steps
}

// shorter makes a sequence as short as possible: it removes parts, halves first, then single steps, and reduces
// repetitions.
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
		return steps // more repetitions are more reliable
	}
	for i := range steps {
		steps = m.let(ctx, m.fewer(ctx, steps, i), i)
	}
	return steps
}

// let removes the cancellation of a step if it is not needed.
func (m *reduction) let(ctx context.Context, steps []Step, i int) []Step {
	next := slices.Clone(steps)
	if next[i].Cancel = false; steps[i].Cancel && m.shows(ctx, next) {
		return next
	}
	return steps
}

// fewer finds how often a step must be repeated, by bisection.
func (m *reduction) fewer(ctx context.Context, steps []Step, i int) []Step {
	low, high := 0, max(steps[i].Times, 1) // high repetitions reproduce it, low ones do not
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

// values makes the arguments of each step as small as possible: no simpler value anywhere reproduces the defect.
func (m *reduction) values(ctx context.Context, steps []Step) []Step {
	for i := range steps {
		t := m.r.subject(steps[i].Tool)
		if t == nil {
			continue
		}
		for _, together := range []bool{true, false} {
			if together && !slices.ContainsFunc(steps[i+1:], func(s Step) bool { return sameStep(s, steps[i]) }) {
				continue
			}
			tried := map[string]bool{string(steps[i].Arguments): true}
			for {
				next := m.simplerStep(ctx, steps, i, t, tried, together)
				if next == nil {
					break
				}
				steps = next
			}
		}
	}
	return steps
}

// simplerStep finds steps that reproduce the defect and differ in one step with simpler arguments, or in all steps that
// are equal to it: a defect may show only when a call is repeated. It returns nil if there are none.
func (m *reduction) simplerStep(ctx context.Context, steps []Step, i int, t *fuzzTarget, tried map[string]bool,
	together bool) []Step {
	for _, candidate := range cases.Simpler(steps[i].Arguments) {
		if ctx.Err() != nil || m.tries >= maxTries {
			return nil
		}
		if tried[string(candidate)] || !cases.SimplerThan(candidate, steps[i].Arguments) {
			continue
		}
		tried[string(candidate)] = true
		next := slices.Clone(steps)
		for j := range next {
			if j == i || together && sameStep(steps[j], steps[i]) {
				next[j].Arguments = candidate
				t.gen.Validate(&next[j].Case)
			}
		}
		if m.shows(ctx, next) {
			return next
		}
	}
	return nil
}

package fuzz

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Limits of slow tools in a run with a time limit.
const (
	slowTurns      = time.Second // of a tool's calls, from which on they are compared with those of the others
	turnShare      = 8           // of the time limit: how long the first calls of a tool may take before others go first
	minTurnTimeout = time.Second
	maxPassed      = 200 // cases of a slow tool that are passed over to find one that the schema does not allow
	maxAbandoned   = 3   // calls of a slow tool that were not awaited, after which it is skipped
)

// turns are the turns of one tool.
type turns struct {
	taken     int            // how many it had
	calls     int            // made in them
	owed      int            // turns that it has not had yet because it waits
	spent     time.Duration  // on these calls, and on restarts of the server after them
	longest   time.Duration  // the longest response
	abandoned int            // calls that were not awaited
	postponed *scheduledCase // the first of them, until it is made again
	tooLong   bool           // that call got no response then either
}

// turn returns the tool of the next case: each in turn. A slow tool waits until the others have caught up. It returns nil
// if no turn is left.
func (r *runner) turn() *fuzzTarget {
	active := slices.ContainsFunc(r.tools, func(t *fuzzTarget) bool { return !t.isSkipped() && !r.isAhead(t) })
	for _, t := range r.tools {
		if t.turns.owed > 0 && !t.isSkipped() && !r.isAhead(t) {
			t.turns.owed--
			return t
		}
	}
	waiting := slices.ContainsFunc(r.tools, func(t *fuzzTarget) bool { return !t.isSkipped() && r.isAhead(t) })
	for range r.tools {
		if r.prefetched.made >= r.prefetched.total {
			break
		}
		t := r.tools[r.prefetched.made%len(r.tools)]
		r.prefetched.made++
		switch {
		case !t.isSkipped() && r.isAhead(t):
			t.turns.owed++
		case active || !waiting:
			return t
		}
	}
	return r.leastSpent()
}

// leastSpent returns the waiting tool that took the least time: the others have had their turns.
func (r *runner) leastSpent() *fuzzTarget {
	var least *fuzzTarget
	for _, t := range r.tools {
		if t.turns.owed > 0 && !t.isSkipped() && (least == nil || t.turns.spent < least.turns.spent) {
			least = t
		}
	}
	if least != nil {
		least.turns.owed--
	}
	return least
}

// isWaiting reports whether a tool has turns left that it has not had yet.
func (t *fuzzTarget) isWaiting() bool { return t.turns.owed > 0 && !t.isSkipped() }

// isAhead reports whether the calls of a tool took so much of a limited time that others go first. Of two tools, one may
// take two thirds of the time, of three one half.
func (r *runner) isAhead(t *fuzzTarget) bool {
	if r.opts.Duration == 0 || len(r.tools) < 2 {
		return false
	}
	return t.turns.postponed != nil ||
		t.turns.spent > slowTurns && t.turns.spent > 2*r.searched()/time.Duration(len(r.tools)+1)
}

// yields reports whether a tool must not be called more often than its turns require, because others wait for theirs.
func (r *runner) yields(t *fuzzTarget) bool {
	return r.isAhead(t) && (r.prefetched.made < r.prefetched.total || r.over())
}

// fewCalls is the number of calls of each tool below which none is repeated only to compare results.
const fewCalls = 16

// hasFewCalls reports whether the time limit allows only a few calls of each tool, if all take as long as those of one.
func (r *runner) hasFewCalls(t *fuzzTarget) bool {
	return r.opts.Duration > 0 && t.turns.calls > 0 &&
		fewCalls*time.Duration(len(r.tools))*t.turns.spent/time.Duration(t.turns.calls) > r.opts.Duration
}

// turnTimeout is how long a call of a tool with an unknown or a slow pace may take before the others go first. Without a
// time limit, the full timeout decides.
func (r *runner) turnTimeout(t *fuzzTarget) time.Duration {
	if r.opts.Duration == 0 || len(r.tools) < 2 || r.resuming ||
		t.latency.answers >= knownPace && t.turns.abandoned == 0 {
		return r.opts.Hang
	}
	wait, responded, abandoned := max(minTurnTimeout, r.opts.Duration/turnShare), false, 0
	for _, other := range r.tools {
		wait = max(wait, 2*other.turns.longest) // the server may need this time for every call
		responded = responded || other.turns.longest > 0
		abandoned += other.turns.abandoned
	}
	switch {
	case !responded && abandoned > 0:
		return r.opts.Hang // perhaps no call ever gets a response
	case !responded:
		wait *= 2 // the first call of a server may load much
	}
	return min(wait, r.opts.Hang)
}

// abandons reports whether a call of a tool that takes long is made again later, or not at all, instead of being
// suspected to hang.
func (r *runner) abandons(t *fuzzTarget) bool {
	return r.callTimeout == 0 && !t.hung &&
		(t.turns.abandoned > 0 || r.turnTimeout(t) < t.latency.suspicion(r.opts.Hang))
}

// abandon continues with the other tools instead of waiting for a response. The first such call of a tool is made again
// at the end, with the full timeout. It reports whether to continue.
func (r *runner) abandon(ctx context.Context, p scheduledCase, s *observation) bool {
	t := p.subject
	if t.turns.abandoned++; t.turns.abandoned == 1 {
		p.resumed, t.turns.postponed = true, &p
		t.stick(r.history, s)
		t.turns.owed++ // for this call
	} else if t.turns.abandoned > maxAbandoned {
		t.tires = true
	}
	return r.recover(ctx, s)
}

// resume makes the postponed calls for which the time limit left no turn: whether they ever get a response matters more
// than a few seconds. It reports whether to continue.
func (r *runner) resume(ctx context.Context) bool {
	made := 0
	for _, t := range r.tools {
		p := t.turns.postponed
		if p == nil {
			continue
		}
		late := r.over() && (made > 0 && time.Since(r.started) > r.opts.Duration+r.opts.Hang || r.failures.silent > 0)
		made++
		if late || ctx.Err() != nil || t.isSkipped() || len(r.found) >= maxFound || r.failures.enough() {
			if r.failures.silent == 0 {
				r.unsure = append(r.unsure, t.name)
			}
			r.skipped[t.name] = notRepeated
			continue
		}
		if !r.one(ctx, *p) || !r.look(ctx) {
			return false
		}
	}
	return true
}

const notRepeated = "a call timed out, and the run ended before it could be repeated"

// A SlowTool is a tool that had fewer calls than others, or only quick ones, because it is slow.
type SlowTool struct {
	Name        string
	Calls       int
	Spent       time.Duration
	OnlyInvalid bool // valid calls were not awaited
}

// reportSlow lists the slow tools, and states why they were not fully tested.
func (r *runner) reportSlow() (slow []SlowTool) {
	for _, t := range r.tools {
		fewer := t.tires || t.turns.owed > 0 && !t.isSkipped()
		if !fewer && !t.turns.tooLong || t.hung || slices.Contains(r.unsure, t.name) {
			continue
		}
		one := SlowTool{t.name, t.turns.calls, t.turns.spent.Round(100 * time.Millisecond), t.turns.tooLong}
		switch {
		case t.turns.tooLong:
			r.skipped[t.name] = "only invalid arguments were tested: a valid call takes too long for the time limit; use " +
				"--tool to run all cases"
		case r.skipped[t.name] == "":
			r.skipped[t.name] = fmt.Sprintf("fewer calls than other tools: %d took %v; use --tool to run all cases",
				one.Calls, one.Spent)
		}
		slow = append(slow, one)
	}
	return slow
}

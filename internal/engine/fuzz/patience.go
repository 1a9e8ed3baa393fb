package fuzz

import "time"

// Bounds of the silence that is suspicious.
const (
	leastSuspicion = 750 * time.Millisecond // silence that is suspicious at least
	leastHang      = 500 * time.Millisecond // silence that a smaller call is given at least
	slowTimes      = 10                     // as long as the slowest answers took is suspicious
	hangTimes      = 20                     // the same for a smaller call
	calmTimes      = 4                      // as much as that, where a smaller call turned out to be slow only
	knownPace      = 5                      // answers after which it is known how fast a tool is
)

// A pace is how fast calls are answered. The slowest answer of all does not count: a machine may stand still once.
type pace struct {
	answers         int
	slowest, second time.Duration
}

// learn takes note of an answer.
func (p *pace) learn(took time.Duration) {
	p.answers++
	p.second = max(p.second, min(p.slowest, took))
	p.slowest = max(p.slowest, took)
}

// mistrust takes note of an answer that was missed although it came.
func (p *pace) mistrust(hang time.Duration) { p.slowest, p.second = hang, hang }

// suspicion is the silence after which a call is looked at again on a session of its own: a server that answers in
// milliseconds need not be waited for as long as one that takes its time. Whether it hangs is decided with all patience.
func (p *pace) suspicion(hang time.Duration) time.Duration {
	if p.answers < knownPace {
		return hang
	}
	return min(hang, max(leastSuspicion, slowTimes*p.second))
}

// waits is how long a call of a tool, or a sign of life, is waited for.
func (r *runner) waits(t *subject) time.Duration {
	switch {
	case r.patience > 0:
		return r.patience
	case t != nil && t.hung:
		return min(r.opts.Hang, leastSuspicion)
	case t != nil:
		return t.pace.suspicion(r.opts.Hang)
	}
	return r.pace.suspicion(r.opts.Hang)
}

// silent reports whether a rule is about answers that do not come.
func silent(rule string) bool { return rule == "FUZZ-002" || rule == "FUZZ-009" }

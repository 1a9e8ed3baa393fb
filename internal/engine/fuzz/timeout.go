package fuzz

import "time"

// Limits for missing responses.
const (
	minHangSuspicion = 750 * time.Millisecond // minimum time before a call is suspected to hang
	leastHang        = 500 * time.Millisecond // minimum timeout of a reduced call
	slowTimes        = 10                     // multiple of the slowest response time that is suspicious
	hangTimes        = 20                     // the same for a reduced call
	calmTimes        = 4                      // multiple of that, if a reduced call turned out to be only slow
	warmTimes        = 2                      // multiple of the longest first response, as extra time for the next
	knownPace        = 5                      // responses after which the speed of a tool is known
)

// A latencyStats is a response time statistic. The slowest response does not count: a machine may be suspended once.
type latencyStats struct {
	answers         int
	slowest, second time.Duration
}

// learn records a response.
func (p *latencyStats) learn(took time.Duration) {
	p.answers++
	p.second = max(p.second, min(p.slowest, took))
	p.slowest = max(p.slowest, took)
}

// mistrust records a response that arrived after the timeout.
func (p *latencyStats) mistrust(hang time.Duration) { p.slowest, p.second = hang, hang }

// suspicion is the time without a response after which a call is repeated in a separate session: a server that responds
// in milliseconds gets less time than a slow one. The full timeout decides whether it hangs.
func (p *latencyStats) suspicion(hang time.Duration) time.Duration {
	if p.answers < knownPace {
		return hang
	}
	return min(hang, max(minHangSuspicion, slowTimes*p.second))
}

// waits is the timeout of a call of a tool, or of a health check.
func (r *runner) waits(t *fuzzTarget) time.Duration {
	wait := r.latency.suspicion(r.opts.Hang)
	switch {
	case r.callTimeout > 0:
		wait = r.callTimeout
	case t != nil && t.hung:
		wait = minHangSuspicion
	case t != nil && t.turns.abandoned > 0:
		wait = r.turnTimeout(t)
	case t != nil:
		wait = min(t.latency.suspicion(r.opts.Hang), r.turnTimeout(t))
	}
	return min(r.opts.Hang, wait+r.warmup.extra())
}

// recordLatency records how long a tool took to respond.
func (r *runner) recordLatency(t *fuzzTarget, took time.Duration) {
	t.spent += took
	t.turns.longest = max(t.turns.longest, took)
	if r.warmup.ended(took) {
		t.latency.learn(took)
		r.latency.learn(took)
	}
}

// A warmup is what the first response of a session takes longer than others: a server may load modules only then. It
// says nothing about the tools.
type warmup struct {
	cold    bool // the session has not responded to a call yet
	longest time.Duration
}

// extra is the time that a call gets in addition, as the first of its session.
func (w *warmup) extra() time.Duration {
	if !w.cold {
		return 0
	}
	return warmTimes * w.longest
}

// ended records a response. It reports whether it was not the first of its session.
func (w *warmup) ended(took time.Duration) bool {
	if !w.cold {
		return true
	}
	w.cold, w.longest = false, max(w.longest, took)
	return false
}

// hangRule is the rule that every call gets a response.
const hangRule = "FUZZ-002"

// silence is the violation of a call without a response.
var silence = &violation{cause: "silence", message: "no response within the timeout"}

// silent reports whether a rule is about missing responses.
func silent(rule string) bool { return rule == hangRule || rule == "FUZZ-009" }

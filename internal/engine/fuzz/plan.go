package fuzz

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
)

// A scheduledCase is a case and its tool.
type scheduledCase struct {
	subject *fuzzTarget
	step    Step
	repeat  bool // make it twice and compare
	resumed bool // it was postponed before, and gets the full timeout
}

// An prefetched is the case that is generated in advance, while another is in flight.
type prefetched struct {
	next  *scheduledCase
	made  int
	total int
}

// more reports whether there is another case.
func (r *runner) more() bool {
	return r.prefetched.next != nil || r.prefetched.made < r.prefetched.total ||
		slices.ContainsFunc(r.tools, (*fuzzTarget).isWaiting)
}

// take returns the next case; nil if there is none left.
func (r *runner) take() *scheduledCase {
	r.fill()
	p := r.prefetched.next
	r.prefetched.next = nil
	return p
}

// fill generates the next case if there is none yet.
func (r *runner) fill() {
	if r.prefetched.next != nil {
		return
	}
	s := r.turn()
	if s == nil {
		return
	}
	if r.prefetched.next = s.turns.postponed; r.prefetched.next != nil {
		return
	}
	turn := s.turns.taken
	s.turns.taken++
	c := r.generate(s)
	for range maxPassed {
		if !s.turns.tooLong || !c.Allowed {
			break
		}
		c = r.generate(s)
	}
	p := &scheduledCase{subject: s, step: Step{Case: c}}
	p.repeat = s.readOnly && c.Allowed && (turn%shapeEvery == 1 || !s.repeatsKnown && c.IsKnown())
	s.repeatsKnown = s.repeatsKnown || c.Allowed && c.IsKnown()
	p.step.Cancel = r.opts.Stateful && c.Allowed && turn%cancelEvery == 13
	r.prefetched.next = p
}

// generate returns the next case of a tool, except for the one that is made last.
func (r *runner) generate(s *fuzzTarget) cases.Case {
	c := s.gen.Next()
	for c.TestsParser() && r.opts.Cases != anyCases { // one such call is made last
		if r.last == nil {
			r.prefetched.total--
			s.gen.Validate(&c)
			r.last = &scheduledCase{subject: s, step: Step{Case: c}}
		}
		c = s.gen.Next()
	}
	s.gen.Validate(&c)
	return c
}

// calls is how many of the cases are calls: frames take a share.
func (r *runner) calls() int {
	if !r.opts.Wire {
		return r.opts.Cases
	}
	return max(r.opts.Cases/2, r.opts.Cases-len(r.disturbances()))
}

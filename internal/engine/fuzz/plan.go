package fuzz

// A scheduledCase is a case and its tool.
type scheduledCase struct {
	subject *fuzzTarget
	step    Step
	repeat  bool // make it twice and compare
}

// An prefetched is the case that is generated in advance, while another is in flight.
type prefetched struct {
	next  *scheduledCase
	made  int
	total int
}

func (a *prefetched) more() bool { return a.next != nil || a.made < a.total }

// take returns the next case, tool by tool in turn.
func (r *runner) take() scheduledCase {
	r.fill()
	p := *r.prefetched.next
	r.prefetched.next = nil
	return p
}

// fill generates the next case if there is none yet.
func (r *runner) fill() {
	if r.prefetched.next != nil || r.prefetched.made >= r.prefetched.total {
		return
	}
	turn, s := r.prefetched.made/len(r.tools), r.tools[r.prefetched.made%len(r.tools)]
	r.prefetched.made++
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
	p := &scheduledCase{subject: s, step: Step{Case: c}}
	p.repeat = s.readOnly && c.Allowed && turn%shapeEvery == 1
	p.step.Cancel = r.opts.Stateful && c.Allowed && turn%cancelEvery == 13
	r.prefetched.next = p
}

// calls is how many of the cases are calls: frames take a share.
func (r *runner) calls() int {
	if !r.opts.Wire {
		return r.opts.Cases
	}
	return max(r.opts.Cases/2, r.opts.Cases-len(r.disturbances()))
}

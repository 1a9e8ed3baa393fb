package fuzz

// A planned is a case and its tool.
type planned struct {
	subject *subject
	step    Step
	repeat  bool // make it twice and compare
}

// An ahead is the case that is generated in advance, while another is in flight.
type ahead struct {
	next  *planned
	made  int
	total int
}

func (a *ahead) more() bool { return a.next != nil || a.made < a.total }

// take returns the next case, tool by tool in turn.
func (r *runner) take() planned {
	r.fill()
	p := *r.ahead.next
	r.ahead.next = nil
	return p
}

// fill generates the next case if there is none yet.
func (r *runner) fill() {
	if r.ahead.next != nil || r.ahead.made >= r.ahead.total {
		return
	}
	turn, s := r.ahead.made/len(r.tools), r.tools[r.ahead.made%len(r.tools)]
	r.ahead.made++
	c := s.gen.Next()
	s.gen.Judge(&c)
	p := &planned{subject: s, step: Step{Case: c}}
	p.repeat = s.readOnly && c.Allowed && turn%shapeEvery == 1
	p.step.Cancel = r.opts.Stateful && c.Allowed && turn%cancelEvery == 13
	r.ahead.next = p
}

// calls is how many of the cases are calls: frames take a share.
func (r *runner) calls() int {
	if !r.opts.Wire {
		return r.opts.Cases
	}
	return max(r.opts.Cases/2, r.opts.Cases-len(r.disturbances()))
}

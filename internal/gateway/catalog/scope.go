package catalog

// A scope is the tools that a search covers, and their statistics.
type scope struct {
	in      []bool // by entry; nil means all
	count   float64
	factors []factors // by entry
}

// factors are the weights of one occurrence of a word in each field of a tool: 0 if the tool is not in scope.
type factors [fields]float32

// scope returns the tools that match the filter. Ranking ignores all others.
func (x *index) scope(f *Filter) *scope {
	if !f.keepable() {
		return x.newScope(f)
	}
	s := x.kept.get(f.AllowKey, f.Own)
	if s == nil {
		s = x.newScope(f)
		x.kept.add(f.AllowKey, f.Own, s)
	}
	return s
}

func (x *index) newScope(f *Filter) *scope {
	if f.all() && x.own == 0 {
		return &scope{count: float64(len(x.numbers)), factors: x.factors}
	}
	first := x.excluded(f)
	if first == len(x.entries) {
		return &scope{count: float64(len(x.numbers)), factors: x.factors} // nothing is filtered out
	}
	s := &scope{in: make([]bool, len(x.entries))}
	var lengths [fields]int
	for n := range x.entries {
		e := &x.entries[n]
		if e.tool == nil || n == first || n > first && !f.match(e.tool, e.own) {
			continue
		}
		s.in[n] = true
		s.count++
		for f, words := range e.words {
			lengths[f] += len(words)
		}
	}
	s.factors = x.weigh(lengths, s.count, s.in)
	return s
}

// excluded returns the first entry that a filter excludes; most searches are of callers that may see all tools.
func (x *index) excluded(f *Filter) int {
	for n := range x.entries {
		if e := &x.entries[n]; e.tool != nil && !f.match(e.tool, e.own) {
			return n
		}
	}
	return len(x.entries)
}

// weigh returns the factors of the entries in scope, given the words in each field of this many tools.
func (x *index) weigh(lengths [fields]int, count float64, in []bool) []factors {
	var average [fields]float64
	for f, n := range lengths {
		average[f] = max(float64(n)/max(count, 1), 1e-9)
	}
	out := make([]factors, len(x.entries))
	for n := range x.entries {
		if in != nil && !in[n] {
			continue
		}
		for f, words := range x.entries[n].words {
			if len(words) == 0 {
				continue
			}
			out[n][f] = float32(fieldWeight[f] / (1 - fieldLength[f] + fieldLength[f]*float64(len(words))/average[f]))
		}
	}
	return out
}

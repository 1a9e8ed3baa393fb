package cases

// A planned is a case that is made before random ones: a sample with changes.
type planned struct {
	base  int
	edits []edit
}

// Limits of the first cases. A slow server, or one with many tools, gets only a few calls of each tool.
const (
	maxEmpty     = 4  // empty texts and arrays that come before all other changes
	maxNull      = 4  // values that may be null and come before them
	maxMentioned = 8  // values of enums and descriptions that come before limits
	fewMentioned = 3  // of those that only the description of the tool mentions, before letters beyond ASCII
	maxSamples   = 4  // samples that come before other changes
	beforePairs  = 12 // changes before half of those that have an effect only together, and before the other half
)

// schedule is the order of the cases: the most valuable come first, in case that a run ends early. These are a call with
// only the required arguments, one with all, one with all examples of descriptions, the smallest one, null where the schema allows it, empty values, values
// that descriptions mention, and letters beyond ASCII. Then come one sample again, texts on which regular expressions
// backtrack, the urgent attacks, and other samples. All other changes follow, in the order of singles.
func (g *Generator) schedule() []planned {
	s := &scheduler{g: g, seen: map[string]bool{}}
	if g.provokes {
		s.add(1, nil)
	}
	if drops := g.bases[0].optional(); len(drops) > 0 && g.allows(drops) {
		s.add(0, drops)
	}
	s.add(0, nil)
	if known := g.examples(); len(known) > 0 && !g.provokes {
		s.add(0, known)
		s.add(0, append(known, g.bases[0].optional()...))
	}
	if len(g.bases) > 1 {
		s.add(1, nil)
	}
	for _, null := range g.nulls() {
		s.add(0, []edit{null})
	}
	singles := g.edits[0]
	for range maxEmpty {
		if len(singles) > 0 && singles[0].isEmpty() {
			s.add(0, singles[:1])
			singles = singles[1:]
		}
	}
	letters, backtracks := g.earlyTexts()
	few := min(len(g.mentioned), fewMentioned)
	s.each(g.mentioned[:few])
	s.each(letters)
	s.each(g.mentioned[few:])
	s.all = append(s.all, planned{}) // some defects show when a call is repeated
	s.each(backtracks)
	urgent, singles := g.urgent(without(singles, backtracks))
	s.each(urgent)
	for i := range min(len(g.bases), maxSamples) {
		s.add(i, nil)
	}
	s.others(singles)
	for i := range g.bases {
		s.add(i, nil)
	}
	return s.all
}

// others adds single changes, and those that have an effect only together between them.
func (s *scheduler) others(singles []edit) {
	pairs := s.g.pairs
	for i := range singles {
		if i > 0 && i%beforePairs == 0 {
			pairs = s.addPairs(pairs, (len(s.g.pairs)+1)/2)
		}
		if singles[i].drop != "" {
			s.add(0, singles[i:i+1]) // a call with only the required arguments may be the same
			continue
		}
		s.all = append(s.all, planned{edits: singles[i : i+1]})
	}
	s.addPairs(pairs, len(pairs))
}

// addPairs adds some changes, and returns the others.
func (s *scheduler) addPairs(pairs [][]edit, number int) [][]edit {
	number = min(number, len(pairs))
	for _, pair := range pairs[:number] {
		s.all = append(s.all, planned{edits: pair})
	}
	return pairs[number:]
}

// A scheduler collects cases, none of them twice.
type scheduler struct {
	g    *Generator
	seen map[string]bool
	all  []planned
}

func (s *scheduler) add(base int, edits []edit) {
	arguments := string(render(nil, s.g.bases[base], edits))
	if !s.seen[arguments] {
		s.seen[arguments] = true
		s.all = append(s.all, planned{base, edits})
	}
}

// each adds single changes of the first sample.
func (s *scheduler) each(edits []edit) {
	for i := range edits {
		s.add(0, edits[i:i+1])
	}
}

// optional are the changes that omit every optional argument.
func (n *node) optional() (drops []edit) {
	for _, m := range n.members {
		if !m.value.required {
			drops = append(drops, edit{at: n, kind: Valid, description: "only required arguments", drop: m.name, keep: true})
		}
	}
	return drops
}

// nulls are changes of an argument to null that the schema allows.
func (g *Generator) nulls() (all []edit) {
	for _, m := range g.bases[0].members {
		null := replace(m.value, Boundary, "null", "null")
		if len(all) < maxNull && len(null) == 1 && string(m.value.raw) != "null" && g.allows(null) {
			all = append(all, null[0])
		}
	}
	return all
}

// allows reports whether the schema allows the first sample with some changes.
func (g *Generator) allows(edits []edit) bool {
	return g.verdict(render(nil, g.bases[0], edits)).allowed
}

// isEmpty reports whether a change makes a text or an array empty.
func (e edit) isEmpty() bool {
	return e.kind == Boundary && (string(e.value) == `""` || string(e.value) == "[]")
}

// alternate takes from two lists in turn.
func alternate(a, b []edit) []edit {
	var all []edit
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			all = append(all, a[i])
		}
		if i < len(b) {
			all = append(all, b[i])
		}
	}
	return all
}

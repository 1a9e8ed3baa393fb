package subschema

import (
	"slices"
	"strings"
)

// A finding is the outcome of the rules for one pair.
type finding struct {
	ok         bool     // contained, by rules
	candidates []any    // values of the first that the second may reject
	obstacles  []string // the keywords that failed or could not be decided
}

func (f *finding) only(obstacle string) bool {
	return !slices.ContainsFunc(f.obstacles, func(o string) bool { return o != obstacle })
}

// maxCandidates limits the candidates of one pair.
const maxCandidates = 24

func (f *finding) add(obstacle string, candidates []any) {
	f.ok = false
	if !slices.Contains(f.obstacles, obstacle) {
		f.obstacles = append(f.obstacles, obstacle)
	}
	f.candidates = append(f.candidates, candidates[:min(len(candidates),
		maxCandidates-min(maxCandidates, len(f.candidates)))]...)
}

// merge adds another failure, with its candidates put into place.
func (f *finding) merge(other finding, lift func(any) (any, bool)) {
	if other.ok {
		return
	}
	var lifted []any
	for _, candidate := range other.candidates {
		if whole, ok := lift(candidate); ok && len(lifted) < 8 {
			lifted = append(lifted, whole)
		}
	}
	f.ok = false
	for _, obstacle := range other.obstacles {
		f.add(obstacle, nil)
	}
	f.candidates = append(f.candidates, lifted[:min(len(lifted),
		maxCandidates-min(maxCandidates, len(f.candidates)))]...)
}

// contains decides whether a ⊆ b. A pair that is met again inside itself is assumed to hold: a smallest
// counterexample would not need it.
func (c *checker) contains(a, b conj, root bool) finding {
	b = slices.DeleteFunc(slices.Clone(b), func(n *node) bool { return c.follows(a, n) })
	if len(b) == 0 || c.empty(a) {
		return finding{ok: true}
	}
	key := a.key() + b.key()
	if root {
		key += "root"
	}
	if c.assumed[key] {
		c.uses++
		return finding{ok: true}
	}
	if known, ok := c.results[key]; ok {
		return known
	}
	if !c.step() {
		return finding{}
	}
	c.assumed[key] = true
	before := c.uses
	result := c.compare(a, b, root)
	delete(c.assumed, key)
	if !result.ok || c.uses == before {
		c.results[key] = result
	}
	return result
}

// follows recognizes a subschema that is part of the conjunction, or accepts everything.
func (c *checker) follows(a conj, n *node) bool {
	text := n.canonical()
	if text == "true" || text == "{}" {
		return true
	}
	return slices.ContainsFunc(a, func(own *node) bool {
		return own == n || text != "" && own.canonical() == text
	})
}

func (c *checker) compare(a, b conj, root bool) finding {
	result := finding{ok: true}
	outer := c.atoms(b)
	for _, atom := range c.atoms(a) {
		if !c.step() {
			return finding{obstacles: []string{"size"}, candidates: result.candidates}
		}
		if f := c.covered(atom, outer, b, root, 0); !f.ok {
			result.merge(f, func(v any) (any, bool) { return v, true })
		}
	}
	if c.failure != "" {
		result.ok = false
	}
	return result
}

// covered decides whether an atom is within a union of atoms.
func (c *checker) covered(a *atom, outer []*atom, b conj, root bool, splits int) finding {
	if a.finite != nil {
		return c.coveredValues(a, b)
	}
	var near []*atom
	for _, other := range outer {
		if other.kind == a.kind {
			near = append(near, other)
		}
	}
	result := finding{}
	for _, other := range near {
		f := c.within(a, other, root)
		if f.ok {
			return f
		}
		result.merge(f, func(v any) (any, bool) { return v, true })
	}
	if len(near) == 0 {
		result.add("type", c.values(a, nil))
		return result
	}
	if len(near) > 1 && a.kind == kindObject && splits < 2 && c.covers(a, near, outer, b, root, splits) {
		return finding{ok: true}
	}
	if len(result.obstacles) == 0 {
		result.obstacles = []string{"size"}
	}
	result.add(result.obstacles[0], c.values(a, near))
	return result
}

func (c *checker) coveredValues(a *atom, b conj) finding {
	result := finding{ok: true}
	for _, value := range a.finite {
		switch c.evaluateAll(value, b) {
		case no:
			result.add("enum", []any{value})
		case maybe:
			result.add("value", []any{value})
		}
	}
	return result
}

// maxCases limits a case distinction.
const maxCases = 40

// covers splits an object by the cases of one property in which the alternatives differ.
func (c *checker) covers(a *atom, near, outer []*atom, b conj, root bool, splits int) bool {
	for _, name := range a.names() {
		if !c.differ(near, name) {
			continue
		}
		cases := c.cases(a, name)
		if len(cases) < 2 || len(cases) > maxCases {
			continue
		}
		if !slices.ContainsFunc(cases, func(one *node) bool {
			for _, part := range c.atoms(append(c.conjOf(a), one)) {
				if part.kind == kindObject && !c.covered(part, outer, b, root, splits+1).ok {
					return true
				}
			}
			return c.failure != ""
		}) {
			return true
		}
	}
	return false
}

// differ reports whether atoms treat a property differently.
func (c *checker) differ(atoms []*atom, name string) bool {
	describe := func(a *atom) string {
		text := ""
		if a.required[name] {
			text = "required "
		}
		return text + a.property(name, c).key()
	}
	return slices.ContainsFunc(atoms[1:], func(other *atom) bool { return describe(other) != describe(atoms[0]) })
}

// cases are subschemas of objects that together cover all values of a property, and its absence.
func (c *checker) cases(a *atom, name string) []*node {
	var all []*node
	with := func(property *node, required bool) {
		n := c.synthetic()
		n.props = map[string]*node{name: property}
		if required {
			n.required = []string{name}
		}
		all = append(all, n)
	}
	for _, part := range c.atoms(a.property(name, c)) {
		for _, value := range part.finite {
			n := c.synthetic()
			n.enum = []any{value}
			with(n, true)
		}
		if part.finite == nil {
			n := c.synthetic()
			n.kinds = part.kind
			with(n, true)
		}
	}
	if !a.required[name] {
		never := c.synthetic()
		never.never, never.kinds = true, 0
		with(never, false)
	}
	return all
}

// synthetic is a subschema that is in no document and accepts everything.
func (c *checker) synthetic() *node {
	c.ids++
	none := ""
	return &node{id: c.ids, kinds: allKinds, maxProps: -1, maxItems: -1, maxLen: -1, canon: &none}
}

// conjOf returns a conjunction without alternatives that is the atom.
func (c *checker) conjOf(a *atom) conj {
	kind := c.synthetic()
	kind.kinds = a.kind
	all := conj{kind}
	for _, n := range a.nodes {
		local, ok := c.locals[n]
		if !ok {
			copied := *n
			local = &copied
			c.ids++
			none := ""
			local.id, local.canon = c.ids, &none
			local.ref, local.allOf, local.anyOf, local.oneOf, local.not, local.cond = nil, nil, nil, nil, nil, nil
			c.locals[n] = local
		}
		all = append(all, local)
	}
	for _, not := range a.nots {
		n := c.synthetic()
		n.not = not
		all = append(all, n)
	}
	return all
}

// within decides whether an atom is within another one of the same type.
func (c *checker) within(a, b *atom, root bool) finding {
	result := finding{ok: true}
	for _, keyword := range b.opaque {
		if !slices.Contains(a.opaque, keyword) {
			name, _, _ := strings.Cut(keyword, " ")
			result.add(name, c.values(a, []*atom{b}))
		}
	}
	for _, not := range b.nots {
		if !c.excludes(a, not) {
			if value, ok := c.simplest(append(c.conjOf(a), not)); ok {
				result.add("not", []any{value})
			}
			result.add("not", c.values(a, []*atom{b}))
		}
	}
	if b.finite != nil {
		result.add("enum", c.values(a, []*atom{b}))
		return result
	}
	switch a.kind {
	case kindNumber:
		if obstacle, ok := numberIn(a, b); !ok {
			result.add(obstacle, c.values(a, []*atom{b}))
		}
	case kindString:
		c.stringIn(a, b, &result)
	case kindArray:
		c.arrayIn(a, b, &result)
	case kindObject:
		c.objectIn(a, b, root, &result)
	}
	return result
}

// excludes reports whether no value of the atom satisfies a subschema.
func (c *checker) excludes(a *atom, not *node) bool {
	text := not.canonical()
	same := func(own *node) bool { return own == not || text != "" && own.canonical() == text }
	return slices.ContainsFunc(a.nots, same) || c.empty(append(c.conjOf(a), not))
}

func (c *checker) stringIn(a, b *atom, result *finding) {
	length := "length"
	if len(a.patterns) > 0 {
		length = "pattern" // the pattern may imply the length
	}
	if b.minLen > a.minLen || b.maxLen >= 0 && (a.maxLen < 0 || a.maxLen > b.maxLen) {
		result.add(length, c.values(a, []*atom{b}))
	}
	for _, pattern := range b.patterns {
		if slices.Contains(a.patterns, pattern) || pattern == ".*" {
			continue
		}
		result.add("pattern", c.values(a, []*atom{b}))
	}
}

func (c *checker) arrayIn(a, b *atom, result *finding) {
	most := c.maxItems(a)
	if b.minItems > a.minItems || b.maxItems >= 0 && (most < 0 || most > b.maxItems) {
		result.add("length", c.values(a, []*atom{b}))
	}
	if b.unique && !a.unique && (most < 0 || most > 1) {
		result.add("uniqueItems", c.values(a, []*atom{b}))
	}
	last := max(a.prefixLen(), b.prefixLen())
	for i := 0; i <= last && (most < 0 || i < most) && c.failure == ""; i++ {
		f := c.contains(a.item(i), b.item(i), false)
		result.merge(f, func(v any) (any, bool) { return c.arrayWith(a, i, v) })
	}
}

// maxItems is the largest number of elements; -1 for no limit.
func (c *checker) maxItems(a *atom) int {
	most := a.maxItems
	for i := 0; i <= a.prefixLen() && (most < 0 || i < most); i++ {
		if c.empty(a.item(i)) {
			return i
		}
	}
	return most
}

func (c *checker) objectIn(a, b *atom, root bool, result *finding) {
	for _, name := range b.names() {
		if b.required[name] && !a.required[name] {
			result.add("required", c.objectsWithout(a, name))
		}
	}
	closed := c.closed(a, root)
	most := a.maxProps
	if closed && !a.hasPatterns() {
		most = least(most, len(a.names()))
	}
	if b.minProps > max(a.minProps, len(a.required)) || b.maxProps >= 0 && (most < 0 || most > b.maxProps) {
		result.add("size", c.values(a, []*atom{b}))
	}
	names := append(a.names(), b.names()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if closed && !a.declares(name, c) || c.failure != "" {
			continue
		}
		f := c.contains(a.property(name, c), b.property(name, c), false)
		result.merge(f, func(v any) (any, bool) { return c.objectWith(a, name, v) })
	}
	if !closed {
		c.restIn(a, b, result)
	}
	c.namesIn(a, b, closed, result)
	c.patternedIn(a, b, result)
}

// closed reports whether only named properties count.
func (c *checker) closed(a *atom, root bool) bool {
	rest := a.undeclared()
	if c.empty(rest) {
		return true
	}
	open := !slices.ContainsFunc(rest, func(n *node) bool { return !c.follows(nil, n) })
	isMap := len(a.names()) == 0 && !a.hasPatterns()
	return c.options.Declared && open && (root || !isMap)
}

// namesIn compares what applies to the names of properties.
func (c *checker) namesIn(a, b *atom, closed bool, result *finding) {
	if len(b.naming) == 0 {
		return
	}
	with := func(name any) (any, bool) {
		text, _ := name.(string)
		value, ok := c.simplest(a.property(text, c))
		if !ok {
			return nil, false
		}
		return c.objectWith(a, text, value)
	}
	if !closed || a.hasPatterns() {
		names := c.synthetic()
		names.kinds = kindString
		result.merge(c.contains(append(slices.Clip(a.naming), names), b.naming, false), with)
	}
	for _, name := range a.names() {
		if c.evaluateAll(name, a.naming) == no || c.evaluateAll(name, b.naming) == yes || c.empty(a.property(name, c)) {
			continue
		}
		whole, ok := with(name)
		result.add("propertyNames", slices.DeleteFunc([]any{whole}, func(any) bool { return !ok }))
	}
}

// restIn compares what applies to properties that neither side names.
func (c *checker) restIn(a, b *atom, result *finding) {
	lift := func(v any) (any, bool) { return c.objectWith(a, c.unnamed(a, b), v) }
	f := c.contains(a.undeclared(), b.undeclared(), false)
	result.merge(f, lift)
	for _, n := range b.objects {
		for pattern, inner := range n.patterned {
			if !hasPattern(a, pattern) {
				f := c.contains(a.undeclared(), conj{inner}, false)
				result.merge(f, func(v any) (any, bool) {
					names := c.patternSamples(pattern, 0, -1, 1)
					if len(names) == 0 {
						return nil, false
					}
					return c.objectWith(a, names[0], v)
				})
			}
		}
	}
}

// patternedIn compares the properties that patterns name. A name may match several patterns, so each must be within
// everything that could apply to it.
func (c *checker) patternedIn(a, b *atom, result *finding) {
	for _, n := range a.objects {
		for pattern, inner := range n.patterned {
			var targets conj
			for _, m := range b.objects {
				if m.patterned[pattern] == nil && m.additional != nil {
					targets = append(targets, m.additional)
				}
				for _, property := range m.patterned {
					targets = append(targets, property)
				}
			}
			for _, name := range b.names() {
				if c.matches(pattern, name) != no && !slices.Contains(a.names(), name) {
					targets = append(targets, b.property(name, c)...)
				}
			}
			f := c.contains(conj{inner}, targets, false)
			result.merge(f, func(v any) (any, bool) {
				names := c.patternSamples(pattern, 0, -1, 1)
				if len(names) == 0 {
					return nil, false
				}
				return c.objectWith(a, names[0], v)
			})
		}
	}
}

func hasPattern(a *atom, pattern string) bool {
	return slices.ContainsFunc(a.objects, func(n *node) bool { return n.patterned[pattern] != nil })
}

func (a *atom) hasPatterns() bool {
	return slices.ContainsFunc(a.objects, func(n *node) bool { return len(n.patterned) > 0 })
}

// newNames are names for properties that are not declared. The schema may restrict them.
func (c *checker) newNames(a *atom) []string {
	if len(a.naming) == 0 {
		return []string{"undeclared", "undeclared2", "x_undeclared", "x-undeclared"}
	}
	var names []string
	for _, part := range c.atoms(a.naming) {
		if part.kind != kindString {
			continue
		}
		for _, value := range c.values(part, nil) {
			if text, ok := value.(string); ok {
				names = append(names, text)
			}
		}
	}
	return names
}

// unnamed is a name that no side declares.
func (c *checker) unnamed(a, b *atom) string {
	for _, name := range c.newNames(a) {
		if !a.declares(name, c) && !b.declares(name, c) {
			return name
		}
	}
	return "undeclared_argument"
}

package subschema

import (
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"
)

// A conj is a conjunction of subschemas; the empty one accepts everything.
type conj []*node

func (c conj) key() string {
	ids := make([]int, len(c))
	for i, n := range c {
		ids[i] = n.id
	}
	sort.Ints(ids)
	return fmt.Sprint(slices.Compact(ids))
}

// An atom is the values of one JSON type that satisfy a conjunction without alternatives. A conjunction is the union
// of its atoms; an atom may hold more values than the schema accepts, see [atom.nots] and [atom.opaque].
type atom struct {
	kind   kinds
	finite []any // nil if not finite

	integer bool
	bounds

	minLen, maxLen int
	patterns       []string

	arrays             []*node // nodes with prefix or items
	minItems, maxItems int
	unique             bool

	objects            []*node // nodes with properties
	naming             conj    // what applies to names of properties
	required           map[string]bool
	minProps, maxProps int

	nodes  []*node // what the atom was made of
	nots   []*node
	opaque []string
}

// A branch is one choice among all alternatives of a conjunction.
type branch struct {
	nodes   []*node
	nots    []*node
	pending []*node
	kinds   kinds
}

// maxBranches limits the choices of one conjunction.
const maxBranches = 300

// atoms splits a conjunction. It fails the comparison if there are too many alternatives.
func (c *checker) atoms(of conj) []*atom {
	key := of.key()
	if known, ok := c.known[key]; ok {
		return known
	}
	var all []*atom
	for _, b := range c.branches(of) {
		for kind := kindNull; kind < allKinds; kind <<= 1 {
			if b.kinds&kind == 0 || !c.step() {
				continue
			}
			if a := c.atom(b, kind); a != nil {
				all = append(all, a)
			}
		}
	}
	c.known[key] = all
	return all
}

// branches resolves references and alternatives, without following properties or items.
func (c *checker) branches(of conj) []branch {
	open := []branch{{pending: slices.Clone(of), kinds: allKinds}}
	var done []branch
	for len(open) > 0 {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		if len(b.pending) == 0 {
			done = append(done, b)
			continue
		}
		if len(open)+len(done) > maxBranches {
			c.fail("too many alternatives")
			return nil
		}
		if !c.step() {
			return nil
		}
		open = append(open, c.advance(b)...)
	}
	return done
}

// advance takes the next pending subschema into the branch.
func (c *checker) advance(b branch) []branch {
	n := b.pending[len(b.pending)-1]
	b.pending = b.pending[:len(b.pending)-1]
	if slices.Contains(b.nodes, n) {
		return []branch{b}
	}
	if b.kinds &= n.kinds; b.kinds == 0 {
		return nil
	}
	if n.enum != nil {
		var possible kinds
		for _, value := range n.enum {
			possible |= kindOf(value)
		}
		if b.kinds &= possible; b.kinds == 0 {
			return nil
		}
	}
	b.nodes = append(slices.Clip(b.nodes), n)
	b.pending = append(slices.Clip(b.pending), n.allOf...)
	if n.ref != nil {
		b.pending = append(b.pending, n.ref)
	}
	if n.not != nil {
		b.nots = append(slices.Clip(b.nots), n.not)
	}
	all := []branch{b}
	if n.anyOf != nil {
		all = fork(all, n.anyOf, false)
	}
	if n.oneOf != nil {
		all = fork(all, n.oneOf, !c.apart(n))
	}
	if n.cond != nil {
		all = forkCondition(all, n)
	}
	return all
}

// fork continues each branch with each alternative; exclusive ones also reject all others.
func fork(branches []branch, alternatives []*node, exclusive bool) []branch {
	var all []branch
	for _, b := range branches {
		for i, alternative := range alternatives {
			f := b
			f.pending = append(slices.Clip(b.pending), alternative)
			if exclusive {
				f.nots = append(slices.Clip(b.nots), alternatives[:i]...)
				f.nots = append(f.nots, alternatives[i+1:]...)
			}
			all = append(all, f)
		}
		if len(all) > 4*maxBranches {
			break // the caller notices
		}
	}
	return all
}

func forkCondition(branches []branch, n *node) []branch {
	var all []branch
	for _, b := range branches {
		met, unmet := b, b
		met.pending = append(slices.Clip(b.pending), n.cond)
		if n.then != nil {
			met.pending = append(met.pending, n.then)
		}
		unmet.pending = slices.Clip(b.pending)
		unmet.nots = append(slices.Clip(b.nots), n.cond)
		if n.other != nil {
			unmet.pending = append(unmet.pending, n.other)
		}
		all = append(all, met, unmet)
	}
	return all
}

// apart reports whether the alternatives of a oneOf exclude each other anyway, so that it is an anyOf. The usual cases
// are different types and a property with different constants.
func (c *checker) apart(n *node) bool {
	if known, ok := c.disjoint[n]; ok {
		return known
	}
	c.disjoint[n] = false // while it is being decided
	result := len(n.oneOf) <= 40
	for i := 0; result && i < len(n.oneOf); i++ {
		for j := i + 1; result && j < len(n.oneOf); j++ {
			result = c.empty(conj{n.oneOf[i], n.oneOf[j]})
		}
	}
	c.disjoint[n] = result
	return result
}

// atom combines the keywords of a branch for one type; nil if no value is left.
func (c *checker) atom(b branch, kind kinds) *atom {
	a := &atom{kind: kind, maxLen: -1, maxItems: -1, maxProps: -1, required: map[string]bool{}, nodes: b.nodes,
		nots: b.nots}
	for _, n := range b.nodes {
		a.add(n)
	}
	switch {
	case a.finite != nil:
	case kind == kindNull:
		a.finite = []any{nil}
	case kind == kindBool:
		a.finite = []any{false, true}
	}
	if c.options.SafeIntegers && kind == kindNumber {
		a.widenSafe()
	}
	if a.integer {
		a.roundBounds()
		a.enumerate()
	}
	c.subtract(a)
	if a.finite != nil {
		a.finite = slices.DeleteFunc(a.finite, func(value any) bool { return c.violates(value, b.nodes) })
	}
	if a.isEmpty() {
		return nil
	}
	for name := range a.required {
		if c.empty(a.property(name, c)) {
			return nil
		}
	}
	return a
}

func (a *atom) add(n *node) {
	if n.enum != nil {
		a.restrict(n)
	}
	a.opaque = append(a.opaque, opaqueFor(n.opaque, a.kind)...)
	switch a.kind {
	case kindNumber:
		a.integer = a.integer || n.integer
		a.bounds.add(n.bounds)
	case kindString:
		a.minLen, a.maxLen = max(a.minLen, n.minLen), least(a.maxLen, n.maxLen)
		if n.pattern != "" && !slices.Contains(a.patterns, n.pattern) {
			a.patterns = append(a.patterns, n.pattern)
		}
	case kindArray:
		if n.prefix != nil || n.items != nil {
			a.arrays = append(a.arrays, n)
		}
		a.minItems, a.maxItems = max(a.minItems, n.minItems), least(a.maxItems, n.maxItems)
		a.unique = a.unique || n.unique
	case kindObject:
		if n.props != nil || n.patterned != nil || n.additional != nil {
			a.objects = append(a.objects, n)
		}
		if n.names != nil {
			a.naming = append(a.naming, n.names)
		}
		for _, name := range n.required {
			a.required[name] = true
		}
		a.minProps, a.maxProps = max(a.minProps, n.minProps), least(a.maxProps, n.maxProps)
	}
}

// opaqueFor drops the keywords that do not apply to a type.
func opaqueFor(keywords []string, kind kinds) []string {
	var kept []string
	for _, keyword := range keywords {
		ofArrays := strings.Contains(keyword[:min(len(keyword), 16)], "ontains") ||
			strings.HasPrefix(keyword, "unevaluatedItems")
		switch {
		case strings.HasPrefix(keyword, "$"), ofArrays && kind == kindArray, !ofArrays && kind == kindObject:
			kept = append(kept, keyword)
		}
	}
	return kept
}

// restrict keeps the values of the type that are in the enum.
func (a *atom) restrict(n *node) {
	from := a.finite
	if from == nil {
		from = n.enum
	}
	kept, seen := []any{}, map[string]bool{}
	for _, value := range from {
		if key := valueKey(value); kindOf(value) == a.kind && n.has(key) && !seen[key] {
			seen[key] = true
			kept = append(kept, value)
		}
	}
	a.finite = kept
}

// subtract removes the values of nots from a finite atom, and drops nots that hold by type or for all values.
func (c *checker) subtract(a *atom) {
	kept := a.nots[:0:0]
	for _, n := range a.nots {
		switch {
		case n.kinds&a.kind == 0 && n.ref == nil:
		case a.finite != nil:
			open := false
			a.finite = slices.DeleteFunc(slices.Clone(a.finite), func(value any) bool {
				t := c.evaluate(value, n)
				open = open || t == maybe
				return t == yes
			})
			if open {
				kept = append(kept, n)
			}
		default:
			kept = append(kept, n)
		}
	}
	a.nots = kept
}

func (a *atom) isEmpty() bool {
	switch {
	case a.finite != nil && len(a.finite) == 0, a.maxLen >= 0 && a.minLen > a.maxLen,
		a.maxItems >= 0 && a.minItems > a.maxItems,
		a.maxProps >= 0 && max(a.minProps, len(a.required)) > a.maxProps:
		return true
	}
	return a.kind == kindNumber && a.bounds.isEmpty()
}

// least is the smaller of two limits, of which -1 is none.
func least(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// property is what applies to the property of an object.
func (a *atom) property(name string, c *checker) conj {
	var all conj
	for _, n := range a.objects {
		declared := false
		if inner, ok := n.props[name]; ok {
			all, declared = append(all, inner), true
		}
		for pattern, inner := range n.patterned {
			switch c.matches(pattern, name) {
			case yes:
				all, declared = append(all, inner), true
			case maybe:
				c.fail("a pattern of property names cannot be decided")
			}
		}
		if !declared && n.additional != nil {
			all = append(all, n.additional)
		}
	}
	return all
}

// undeclared is what applies to a property that no subschema names.
func (a *atom) undeclared() conj {
	var all conj
	for _, n := range a.objects {
		if n.additional != nil {
			all = append(all, n.additional)
		}
	}
	return all
}

// declares reports whether the object names a property.
func (a *atom) declares(name string, c *checker) bool {
	if a.required[name] {
		return true
	}
	for _, n := range a.objects {
		if _, ok := n.props[name]; ok {
			return true
		}
		for pattern := range n.patterned {
			if c.matches(pattern, name) == yes {
				return true
			}
		}
	}
	return false
}

// names lists the named properties in order.
func (a *atom) names() []string {
	var all []string
	for _, n := range a.objects {
		for name := range n.props {
			all = append(all, name)
		}
	}
	for name := range a.required {
		all = append(all, name)
	}
	sort.Strings(all)
	return slices.Compact(all)
}

// item is what applies to the element at an index; indexes from prefixLen on are equal.
func (a *atom) item(i int) conj {
	var all conj
	for _, n := range a.arrays {
		switch {
		case i < len(n.prefix):
			all = append(all, n.prefix[i])
		case n.items != nil:
			all = append(all, n.items)
		}
	}
	return all
}

func (a *atom) prefixLen() int {
	longest := 0
	for _, n := range a.arrays {
		longest = max(longest, len(n.prefix))
	}
	return longest
}

// safe is the largest integer that generators for JavaScript allow.
var safe = big.NewRat(1<<53-1, 1)

// widenSafe drops bounds that only exclude unsafe integers.
func (a *atom) widenSafe() {
	if a.hi != nil && a.hi.Cmp(safe) >= 0 {
		a.hi, a.openHi = nil, false
	}
	if a.lo != nil && a.lo.Cmp(new(big.Rat).Neg(safe)) <= 0 {
		a.lo, a.openLo = nil, false
	}
}

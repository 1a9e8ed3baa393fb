package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// settle prepares the index for searches after changes: it merges new terms, or rebuilds the index if most terms belong
// to removed tools.
func (x *index) settle() {
	if x.empty > 1000 && x.empty > len(x.lists)/2 {
		x.rebuild()
	}
	x.factors = x.weigh(x.lengths, float64(len(x.numbers)), nil)
	x.kept.clear()
	for term := range x.lists {
		x.lists[term].weights.Store(nil)
	}
	x.sortKeys()
	if len(x.fresh) == 0 {
		return
	}
	x.sorted = merge(x.sorted, x.fresh, func(a, b sortedTerm) int { return strings.Compare(a.text, b.text) })
	x.mirror = merge(x.mirror, x.fresh, func(a, b sortedTerm) int { return compareBackwards(a.text, b.text) })
	x.fresh = nil
}

// sortKeys sorts the new entries by key into the others, without those that were removed.
func (x *index) sortKeys() {
	if len(x.places) < len(x.entries) {
		x.places = make([]uint32, len(x.entries))
	}
	const isNew = math.MaxUint32
	for _, n := range x.added {
		x.places[n] = isNew
	}
	kept := slices.DeleteFunc(x.order, func(n uint32) bool { return x.entries[n].tool == nil || x.places[n] == isNew })
	slices.Sort(x.added)
	added := slices.DeleteFunc(slices.Compact(x.added), func(n uint32) bool { return x.entries[n].tool == nil })
	x.order = merge(kept, added, func(a, b uint32) int { return byKey(x.entries[a].tool, x.entries[b].tool) })
	x.added = nil
	for place, n := range x.order {
		x.places[n] = uint32(place)
	}
}

func (x *index) rebuild() {
	entries := x.entries
	*x = *newIndex()
	for _, e := range entries {
		switch {
		case e.tool == nil:
			continue
		case e.own:
			x.insertOwn(e.tool)
		default:
			x.add(e.tool)
		}
		x.entries[x.numbers[e.tool]].vector = e.vector
	}
}

// merge returns a sorted list merged with new items.
func merge[T any](old, fresh []T, compare func(a, b T) int) []T {
	if len(fresh) == 0 {
		return old
	}
	fresh = slices.SortedStableFunc(slices.Values(fresh), compare)
	out := make([]T, 0, len(old)+len(fresh))
	for len(old) > 0 && len(fresh) > 0 {
		if compare(old[0], fresh[0]) < 0 {
			out, old = append(out, old[0]), old[1:]
		} else {
			out, fresh = append(out, fresh[0]), fresh[1:]
		}
	}
	return append(append(out, old...), fresh...)
}

// compareBackwards compares two words from their ends.
func compareBackwards(a, b string) int {
	for i, j := len(a)-1, len(b)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
	}
	return cmp.Compare(len(a), len(b))
}

package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// swap replaces a tool with one that has the same text.
func (x *index) swap(old, now *Tool) {
	n := x.numbers[old]
	delete(x.numbers, old)
	x.numbers[now] = n
	x.entries[n].tool = now
}

// remove removes a tool.
func (x *index) remove(t *Tool) {
	n := x.numbers[t]
	e := &x.entries[n]
	delete(x.numbers, t)
	name := strings.ToLower(t.Name)
	x.names[name] = slices.DeleteFunc(x.names[name], func(other uint32) bool { return other == n })
	if len(x.names[name]) == 0 {
		delete(x.names, name)
	}
	done := map[uint32]bool{}
	for f, words := range e.words {
		x.lengths[f] -= len(words)
		for _, w := range words {
			for _, term := range [...]uint32{w.stem, w.written} {
				if !done[term] {
					done[term] = true
					x.uncount(term, n)
				}
			}
		}
	}
	if e.own {
		x.own--
	}
	*e = entry{}
	x.free = append(x.free, n)
}

func (x *index) uncount(term, n uint32) {
	l := &x.lists[term]
	l.postings = slices.DeleteFunc(l.postings, func(p posting) bool { return p.entry == n })
	if len(l.postings) == 0 {
		x.empty++
	}
}

// settle prepares the index for searches after changes: it merges new terms, or rebuilds the index if most terms belong
// to removed tools.
func (x *index) settle() {
	if x.empty > 1000 && x.empty > len(x.lists)/2 {
		x.rebuild()
	}
	x.factors = x.weigh(x.lengths, float64(len(x.numbers)))
	if len(x.fresh) == 0 {
		return
	}
	x.sorted = x.merge(x.sorted, cmp.Compare[string])
	x.mirror = x.merge(x.mirror, compareBackwards)
	x.fresh = nil
}

func (x *index) rebuild() {
	entries := x.entries
	*x = *newIndex()
	for _, e := range entries {
		switch {
		case e.own:
			x.insertOwn(e.tool)
		case e.tool != nil:
			x.add(e.tool)
		}
	}
}

// merge returns the terms merged with the new ones.
func (x *index) merge(old []uint32, compare func(a, b string) int) []uint32 {
	byText := func(a, b uint32) int { return compare(x.lists[a].text, x.lists[b].text) }
	fresh := slices.SortedFunc(slices.Values(x.fresh), byText)
	out := make([]uint32, 0, len(old)+len(fresh))
	for len(old) > 0 && len(fresh) > 0 {
		if byText(old[0], fresh[0]) < 0 {
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

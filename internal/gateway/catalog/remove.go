package catalog

import (
	"slices"
	"strings"
)

// swap replaces a tool with one that has the same text.
func (x *index) swap(old, now *Tool) {
	n := x.numbers[old]
	delete(x.numbers, old)
	x.numbers[now] = n
	x.entries[n].tool = now
	x.kept.clear()
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
	at := slices.Index(l.entries, n)
	l.entries = slices.Delete(l.entries, at, at+1)
	from := 0
	for ; at > 0; from++ {
		if l.places[from].last {
			at--
		}
	}
	to := from
	for !l.places[to].last {
		to++
	}
	l.places = slices.Delete(l.places, from, to+1)
	if len(l.entries) == 0 {
		x.empty++
	}
}

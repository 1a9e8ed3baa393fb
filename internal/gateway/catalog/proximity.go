package catalog

import "slices"

// neighbours is what an entry gains from having words of the query side by side, as the query has them.
func (x *index) neighbours(q *query, rarity map[uint32]float64, n uint32) float64 {
	sum := 0.0
	for _, pair := range q.pairs {
		a, b := pair[0].forms[0].term, pair[1].forms[0].term
		if x.has(n, []uint32{a, b}) {
			sum += pairWeight * max(rarity[a], rarity[b])
		}
	}
	return sum
}

// has tells whether an entry has stems one after the other in one of its fields. The fields for parameters are lists, in
// which neighbours mean nothing.
func (x *index) has(n uint32, stems []uint32) bool {
	for _, words := range x.entries[n].words[:inParameters] {
		for i := 0; i+len(stems) <= len(words); i++ {
			if slices.EqualFunc(words[i:i+len(stems)], stems, func(w word, stem uint32) bool { return w.stem == stem }) {
				return true
			}
		}
	}
	return false
}

// quoted leaves the tools that have all phrases. If no tool has them, people have quoted something else: all stay.
func (x *index) quoted(q *query, all []found) []found {
	if len(q.phrases) == 0 {
		return all
	}
	var out []found
	for _, f := range all {
		if !slices.ContainsFunc(q.phrases, func(stems []uint32) bool { return !x.has(f.entry, stems) }) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

package catalog

import "slices"

// A pair is two adjacent stems.
type pair struct{ first, second uint32 }

// gains is the bonus of a tool for adjacent words of the query: rarer pairs count more.
func (q *query) gains(rarity map[uint32]float64) map[pair]float64 {
	gains := make(map[pair]float64, len(q.pairs))
	for _, p := range q.pairs {
		gains[p] += pairWeight * max(rarity[p.first], rarity[p.second])
	}
	return gains
}

// neighbours is the bonus of an entry for words of the query that are adjacent in the same order. The fields for
// parameters are lists, in which adjacency has no meaning.
func (x *index) neighbours(gains map[pair]float64, n uint32) float64 {
	sum := 0.0
	if len(gains) == 0 {
		return sum
	}
	var had []pair
	for _, words := range x.entries[n].words[:inParameters] {
		for i := 1; i < len(words); i++ {
			p := pair{words[i-1].stem, words[i].stem}
			if gain, ok := gains[p]; ok && !slices.Contains(had, p) {
				had = append(had, p)
				sum += gain
			}
		}
	}
	return sum
}

// has reports whether an entry has adjacent stems in one of its fields.
func (x *index) has(n uint32, stems []uint32) bool {
	for _, words := range x.entries[n].words[:inParameters] {
		for i := 0; i+len(stems) <= len(words); i++ {
			if slices.EqualFunc(words[i:i+len(stems)], stems,
				func(w word, stem uint32) bool { return w.stem == stem }) {
				return true
			}
		}
	}
	return false
}

// quoted keeps the tools that contain all phrases. If no tool does, the quotes had another purpose, and all tools are
// kept.
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

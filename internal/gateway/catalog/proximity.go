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

// neighbours adds the bonus for words of the query that are adjacent in the same order to the scores of entries. The
// fields for parameters are lists, in which adjacency has no meaning.
func (x *index) neighbours(gains map[pair]float64, all []found) {
	if len(gains) == 0 {
		return
	}
	var firsts termFilter
	for p := range gains {
		firsts.add(p.first)
	}
	var had []pair
	for i := range all {
		had = had[:0]
		sum := 0.0
		for _, words := range x.entries[all[i].entry].words[:inParameters] {
			for j := 1; j < len(words); j++ {
				if !firsts.may(words[j-1].stem) {
					continue
				}
				p := pair{words[j-1].stem, words[j].stem}
				if gain, ok := gains[p]; ok && !slices.Contains(had, p) {
					had = append(had, p)
					sum += gain
				}
			}
		}
		all[i].score += sum
	}
}

// A termFilter rules out most terms that are not in a set, without looking them up.
type termFilter [8]uint64

func (f *termFilter) add(term uint32) { f[term/64%8] |= 1 << (term % 64) }

// may reports whether a term may have been added.
func (f *termFilter) may(term uint32) bool { return f[term/64%8]>>(term%64)&1 != 0 }

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

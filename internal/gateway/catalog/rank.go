package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// BM25F: how much a word counts in each field, how much a long field lowers that, and how soon more of the same word
// stops to count.
var (
	fieldWeight = [fields]float64{inName: 3.5, inTitle: 2.5, inServer: 2.5, inLead: 1.3, inDescription: 1, inParameters: 1, inParameterText: .27}
	fieldLength = [fields]float64{inName: 1, inTitle: .55, inServer: .55, inLead: .35, inDescription: .65, inParameters: .8, inParameterText: .7}
)

const (
	saturation = 2.5
	pairWeight = .25 // of two words side by side
	rarest     = .45 // taken off the rarity of all words: among few tools a word that only one has may be chance
	reranked   = 50  // for so many of the best it is looked at which words stand side by side
)

// A scope is the tools that a search is about, and their statistics.
type scope struct {
	in      []bool // by entry; nil if all are
	count   float64
	average [fields]float64 // words in each field
}

// scope returns the tools that the filter lets through. Ranking knows of no others.
func (x *index) scope(f *Filter) *scope {
	s := &scope{count: float64(len(x.numbers))}
	lengths := x.lengths
	if !f.all() {
		s.in, s.count, lengths = make([]bool, len(x.entries)), 0, [fields]int{}
		for n := range x.entries {
			e := &x.entries[n]
			if e.tool == nil || !f.match(e.tool) {
				continue
			}
			s.in[n] = true
			s.count++
			for f, words := range e.words {
				lengths[f] += len(words)
			}
		}
	}
	for f, n := range lengths {
		s.average[f] = max(float64(n)/max(s.count, 1), 1e-9)
	}
	return s
}

// A found tool is an entry with what a query makes of it.
type found struct {
	entry uint32
	named int     // 2: the query is its name; 1: the query mentions its name
	score float64 // 0..1
}

// rank returns the best tools for a query, the best first.
func (x *index) rank(q *query, s *scope, limit int) []found {
	scores := make([]float64, len(x.entries))
	rarity, attainable := x.score(q, s, scores)
	var out []found
	named := x.named(q, s)
	for n, score := range scores {
		if score > 0 || named[uint32(n)] > 0 {
			out = append(out, found{entry: uint32(n), named: named[uint32(n)], score: score})
		}
	}
	out = x.quoted(q, out)
	out = x.best(out, max(limit, reranked))
	for i := range out {
		out[i].score += x.neighbours(q, rarity, out[i].entry)
		out[i].score = normal(out[i], attainable)
	}
	return x.best(out, limit)
}

// normal brings a score to 0..1: how much it is of what a tool could reach that is all about the query.
func normal(f found, attainable float64) float64 {
	score := 0.0
	if attainable > 0 {
		score = min(f.score/attainable, .99)
	}
	switch f.named {
	case 2:
		return 1
	case 1:
		return .5 + score/2
	}
	return score
}

// score adds up what each part of the query says about each tool. It returns how rare each term is, for those that were
// looked up, and the score that no tool exceeds.
func (x *index) score(q *query, s *scope, scores []float64) (rarity map[uint32]float64, attainable float64) {
	rarity = map[uint32]float64{}
	counts := make([]float64, len(x.entries))
	var touched []uint32
	for _, p := range q.parts {
		touched = touched[:0]
		for _, form := range p.forms {
			for i := range x.lists[form.term].postings {
				posting := &x.lists[form.term].postings[i]
				if s.in != nil && !s.in[posting.entry] {
					continue
				}
				if counts[posting.entry] == 0 {
					touched = append(touched, posting.entry)
				}
				counts[posting.entry] += form.weight * x.occurrence(posting, s)
			}
		}
		rare := math.Log(1 + (s.count-float64(len(touched))+.5)/(float64(len(touched))+.5+rarest))
		if len(p.forms) > 0 {
			rarity[p.forms[0].term] = rare
		}
		weight := p.weight * rare * (saturation + 1)
		attainable += weight
		for _, n := range touched {
			scores[n] += weight * counts[n] / (saturation + counts[n])
			counts[n] = 0
		}
	}
	return rarity, attainable
}

// occurrence is how much a term counts in a tool.
func (x *index) occurrence(p *posting, s *scope) float64 {
	sum := 0.0
	words := &x.entries[p.entry].words
	for f, n := range p.count {
		if n > 0 {
			sum += fieldWeight[f] * float64(n) / (1 - fieldLength[f] + fieldLength[f]*float64(len(words[f]))/s.average[f])
		}
	}
	return sum
}

// best returns the best so many, in order. What is equally good goes by its key, so that the order is always the same.
func (x *index) best(all []found, limit int) []found {
	slices.SortFunc(all, func(a, b found) int {
		if c := cmp.Or(cmp.Compare(b.named, a.named), cmp.Compare(b.score, a.score)); c != 0 {
			return c
		}
		return byKey(x.entries[a.entry].tool, x.entries[b.entry].tool)
	})
	return all[:min(len(all), limit)]
}

// named finds the tools that the query calls by their names.
func (x *index) named(q *query, s *scope) map[uint32]int {
	out := map[uint32]int{}
	whole := strings.Trim(strings.TrimSpace(q.text), `"'`+"`")
	for n := range x.entries {
		t := x.entries[n].tool
		if t == nil || s.in != nil && !s.in[n] {
			continue
		}
		if strings.EqualFold(t.Name, whole) || t.Server != "" && strings.EqualFold(t.Key().String(), whole) {
			out[uint32(n)] = 2
		} else if slices.ContainsFunc(q.names, func(name string) bool { return strings.EqualFold(name, t.Name) }) {
			out[uint32(n)] = 1
		}
	}
	return out
}

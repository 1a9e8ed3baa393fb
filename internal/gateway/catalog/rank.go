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
	factors []factors // by entry
}

// factors are how much one occurrence of a word counts in each field of a tool.
type factors [fields]float32

// scope returns the tools that the filter lets through. Ranking knows of no others.
func (x *index) scope(f *Filter) *scope {
	if f.all() {
		return &scope{count: float64(len(x.numbers)), factors: x.factors}
	}
	s := &scope{in: make([]bool, len(x.entries))}
	var lengths [fields]int
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
	if int(s.count) == len(x.numbers) {
		return &scope{count: s.count, factors: x.factors} // nothing is left out
	}
	s.factors = x.weigh(lengths, s.count)
	return s
}

// weigh returns the factors of all entries, given the words in each field of so many tools.
func (x *index) weigh(lengths [fields]int, count float64) []factors {
	var average [fields]float64
	for f, n := range lengths {
		average[f] = max(float64(n)/max(count, 1), 1e-9)
	}
	out := make([]factors, len(x.entries))
	for n := range x.entries {
		for f, words := range x.entries[n].words {
			if len(words) == 0 {
				continue
			}
			out[n][f] = float32(fieldWeight[f] / (1 - fieldLength[f] + fieldLength[f]*float64(len(words))/average[f]))
		}
	}
	return out
}

// A found tool is an entry with what a query makes of it.
type found struct {
	entry uint32
	named int     // 2: the query is its name; 1: the query mentions its name
	score float64 // 0..1
}

// A scratch is what ranking needs for a moment: a number for each entry. It is used again and again.
type scratch struct {
	scores  []float64
	counts  []float32 // all zero between uses
	touched []uint32
}

// scratch returns one that is large enough, with zeros. Whoever takes it puts it back.
func (x *index) scratch() *scratch {
	w, _ := x.scratches.Get().(*scratch)
	if w == nil || len(w.scores) < len(x.entries) {
		return &scratch{scores: make([]float64, len(x.entries)), counts: make([]float32, len(x.entries))}
	}
	clear(w.scores)
	return w
}

// rank returns the best tools for a query, the best first.
func (x *index) rank(q *query, s *scope, limit int) []found {
	w := x.scratch()
	defer x.scratches.Put(w)
	rarity, attainable := x.score(q, s, w)
	out := x.candidates(q, s, w.scores[:len(x.entries)], max(limit, reranked))
	gains := q.gains(rarity)
	for i := range out {
		out[i].score += x.neighbours(gains, out[i].entry)
		out[i].score = normal(out[i], attainable)
	}
	return x.best(out, limit)
}

// candidates returns the tools with the best scores, and those that the query names.
func (x *index) candidates(q *query, s *scope, scores []float64, limit int) []found {
	named := x.named(q, s)
	if len(q.phrases) > 0 || limit > maxPodium {
		return x.best(x.quoted(q, x.scored(named, scores)), limit)
	}
	top := podium{index: x, limit: limit}
	for n, how := range named {
		top.add(found{entry: n, named: how, score: scores[n]})
		scores[n] = 0
	}
	for n, score := range scores {
		if score > 0 && !top.below(score) {
			top.add(found{entry: uint32(n), score: score})
		}
	}
	return top.all
}

// scored returns all tools that have a score or are named.
func (x *index) scored(named map[uint32]int, scores []float64) []found {
	var out []found
	for n, how := range named {
		out = append(out, found{entry: n, named: how, score: scores[n]})
		scores[n] = 0
	}
	for n, score := range scores {
		if score > 0 {
			out = append(out, found{entry: uint32(n), score: score})
		}
	}
	return out
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
func (x *index) score(q *query, s *scope, w *scratch) (rarity map[uint32]float64, attainable float64) {
	rarity = make(map[uint32]float64, len(q.parts))
	for _, p := range q.parts {
		x.occurrences(p, s, w)
		touched := float64(len(w.touched))
		rare := math.Log(1 + (s.count-touched+.5)/(touched+.5+rarest))
		weight := p.weight * rare * (saturation + 1)
		if !p.extra {
			attainable += weight
		}
		if len(p.forms) > 0 && !p.extra {
			rarity[p.forms[0].term] = rare
		}
		for _, n := range w.touched {
			count := float64(w.counts[n])
			w.scores[n] += weight * count / (saturation + count)
			w.counts[n] = 0
		}
	}
	return rarity, attainable
}

// occurrences counts how often each tool has a part of a query, weighted, and notes which have it.
func (x *index) occurrences(p part, s *scope, w *scratch) {
	counts, factors, touched := w.counts, s.factors, w.touched[:0]
	for _, form := range p.forms {
		before, weight := form.fields(), float32(form.weight)
		for _, posting := range x.lists[form.term].postings {
			n := posting.entry
			if posting.field >= before || s.in != nil && !s.in[n] {
				continue
			}
			if counts[n] == 0 {
				touched = append(touched, n)
			}
			counts[n] += weight * float32(posting.count) * factors[n][posting.field]
		}
	}
	w.touched = touched
}

// best returns the best so many, in order.
func (x *index) best(all []found, limit int) []found {
	if limit > len(all)/4 || limit > maxPodium {
		slices.SortFunc(all, x.compare)
		return all[:min(len(all), limit)]
	}
	top := podium{index: x, limit: limit}
	for _, f := range all {
		top.add(f)
	}
	return top.all
}

// maxPodium is up to how many of the best it is cheaper to keep them in order than to sort all.
const maxPodium = 256

// A podium keeps the best so many, in order.
type podium struct {
	index *index
	limit int
	all   []found
}

// below tells whether a tool that is not named cannot be among the best with a score.
func (p *podium) below(score float64) bool {
	return len(p.all) == p.limit && score < p.all[p.limit-1].score
}

func (p *podium) add(f found) {
	if len(p.all) == p.limit && (p.limit == 0 || p.index.compare(f, p.all[p.limit-1]) > 0) {
		return
	}
	i, _ := slices.BinarySearchFunc(p.all, f, p.index.compare)
	p.all = slices.Insert(p.all, i, f)
	p.all = p.all[:min(len(p.all), p.limit)]
}

// compare puts the better tool first. What is equally good goes by its key, so that the order is always the same.
func (x *index) compare(a, b found) int {
	if c := cmp.Or(cmp.Compare(b.named, a.named), cmp.Compare(b.score, a.score)); c != 0 {
		return c
	}
	return byKey(x.entries[a.entry].tool, x.entries[b.entry].tool)
}

// named finds the tools that the query calls by their names.
func (x *index) named(q *query, s *scope) map[uint32]int {
	out := map[uint32]int{}
	note := func(name string, how int, fits func(*Tool) bool) {
		for _, n := range x.names[strings.ToLower(name)] {
			if (s.in == nil || s.in[n]) && (fits == nil || fits(x.entries[n].tool)) {
				out[n] = max(out[n], how)
			}
		}
	}
	for _, name := range q.names {
		note(name, 1, nil)
	}
	whole := strings.Trim(strings.TrimSpace(q.text), `"'`+"`")
	note(whole, 2, nil)
	for i := range len(whole) { // server/name, either of which may have slashes
		if whole[i] == '/' {
			note(whole[i+1:], 2, func(t *Tool) bool { return strings.EqualFold(t.Server, whole[:i]) })
		}
	}
	return out
}

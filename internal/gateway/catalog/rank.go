package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// BM25F: the weight of a word in each field, the length normalization, and the saturation of repeated words.
var (
	fieldWeight = [fields]float64{inName: 3.5, inTitle: 2.5, inServer: 2.5, inLead: 1.3, inDescription: 1,
		inParameters: 1, inParameterText: .27}
	fieldLength = [fields]float64{inName: 1, inTitle: .55, inServer: .55, inLead: .35, inDescription: .65,
		inParameters: .8, inParameterText: .7}
)

const (
	saturation = 2.5
	pairWeight = .25 // of two adjacent words
	rarest     = .45 // subtracted from the rarity of all words: among few tools, a word in only one may be chance
	reranked   = 50  // adjacency is computed for this many of the best
)

// A scope is the tools that a search covers, and their statistics.
type scope struct {
	in      []bool // by entry; nil means all
	count   float64
	factors []factors // by entry
}

// factors are the weights of one occurrence of a word in each field of a tool.
type factors [fields]float32

// scope returns the tools that match the filter. Ranking ignores all others.
func (x *index) scope(f *Filter) *scope {
	if f.all() && x.own == 0 {
		return &scope{count: float64(len(x.numbers)), factors: x.factors}
	}
	first := x.excluded(f)
	if first == len(x.entries) {
		return &scope{count: float64(len(x.numbers)), factors: x.factors} // nothing is filtered out
	}
	s := &scope{in: make([]bool, len(x.entries))}
	var lengths [fields]int
	for n := range x.entries {
		e := &x.entries[n]
		if e.tool == nil || n == first || n > first && !f.match(e.tool, e.own) {
			continue
		}
		s.in[n] = true
		s.count++
		for f, words := range e.words {
			lengths[f] += len(words)
		}
	}
	s.factors = x.weigh(lengths, s.count)
	return s
}

// excluded returns the first entry that a filter excludes; most searches are of callers that may see all tools.
func (x *index) excluded(f *Filter) int {
	for n := range x.entries {
		if e := &x.entries[n]; e.tool != nil && !f.match(e.tool, e.own) {
			return n
		}
	}
	return len(x.entries)
}

// weigh returns the factors of all entries, given the words in each field of this many tools.
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

// A found is an entry with its score for a query.
type found struct {
	entry uint32
	named int     // 2: the query is its name; 1: the query mentions its name
	score float64 // 0..1
}

// A scoreBuffer is the temporary data of ranking: a number for each entry. It is reused.
type scoreBuffer struct {
	scores  []float64
	counts  []float32 // all zero between uses
	touched []uint32
}

// scratch returns one that is large enough, with zeros. The caller must return it.
func (x *index) scratch() *scoreBuffer {
	w, _ := x.scratches.Get().(*scoreBuffer)
	if w == nil || len(w.scores) < len(x.entries) {
		return &scoreBuffer{scores: make([]float64, len(x.entries)), counts: make([]float32, len(x.entries))}
	}
	clear(w.scores)
	return w
}

// rank returns the best tools for a query, best first.
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
	x.demote(q, out)
	return x.best(out, limit)
}

// candidates returns the tools with the best scores, and those that the query names.
func (x *index) candidates(q *query, s *scope, scores []float64, limit int) []found {
	named := x.named(q, s)
	if len(q.phrases) > 0 || limit > maxPodium {
		return x.best(x.quoted(q, x.scored(named, scores)), limit)
	}
	top := topK{index: x, limit: limit}
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

// normal normalizes a score to 0..1: its share of the score of a perfect match.
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

// score adds the scores of each part of the query for each tool. It returns the rarity of each term that was looked up,
// and an upper bound of the scores.
func (x *index) score(q *query, s *scope, w *scoreBuffer) (rarity map[uint32]float64, attainable float64) {
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

// occurrences counts the weighted occurrences of a part of a query in each tool, and marks the tools that have it.
func (x *index) occurrences(p part, s *scope, w *scoreBuffer) {
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

// best returns the best n, in order.
func (x *index) best(all []found, limit int) []found {
	if limit > len(all)/4 || limit > maxPodium {
		slices.SortFunc(all, x.compare)
		return all[:min(len(all), limit)]
	}
	top := topK{index: x, limit: limit}
	for _, f := range all {
		top.add(f)
	}
	return top.all
}

// maxPodium is the number of results up to which an ordered insert is cheaper than sorting all.
const maxPodium = 256

// A topK holds the best n, in order.
type topK struct {
	index *index
	limit int
	all   []found
}

// below reports whether a tool that is not named cannot be among the best with a score.
func (p *topK) below(score float64) bool {
	return len(p.all) == p.limit && score < p.all[p.limit-1].score
}

func (p *topK) add(f found) {
	if len(p.all) == p.limit && (p.limit == 0 || p.index.compare(f, p.all[p.limit-1]) > 0) {
		return
	}
	i, _ := slices.BinarySearchFunc(p.all, f, p.index.compare)
	p.all = slices.Insert(p.all, i, f)
	p.all = p.all[:min(len(p.all), p.limit)]
}

// compare sorts the better tool first. Ties are sorted by key, so that the order is stable.
func (x *index) compare(a, b found) int {
	if c := cmp.Or(cmp.Compare(b.named, a.named), cmp.Compare(b.score, a.score)); c != 0 {
		return c
	}
	return byKey(x.entries[a.entry].tool, x.entries[b.entry].tool)
}

// named finds the tools that the query mentions by name.
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
	for i := range len(whole) { // server/name, both of which may contain slashes
		if whole[i] == '/' {
			note(whole[i+1:], 2, func(t *Tool) bool { return strings.EqualFold(t.Server, whole[:i]) })
		}
	}
	return out
}

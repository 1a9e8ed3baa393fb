package catalog

import "strings"

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
	entries []uint32  // the result of occurrences, and of
	weights []float32 // each its count
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
	x.neighbours(q.gains(rarity), out)
	for i := range out {
		out[i].score = normal(out[i], attainable)
	}
	x.demote(q, out)
	return x.best(out, limit)
}

// candidates returns the tools with the best scores, and those that the query names.
func (x *index) candidates(q *query, s *scope, scores []float64, limit int) []found {
	out := make([]found, 0, min(2*limit, len(scores)))
	for n, how := range x.named(q, s) {
		out = append(out, found{entry: n, named: how, score: scores[n]})
		scores[n] = 0
	}
	least := 0.0
	if len(q.phrases) == 0 {
		least = reached(scores, limit)
	}
	for n, score := range scores {
		if score >= least && score > 0 {
			out = append(out, found{entry: uint32(n), score: score})
		}
	}
	return x.best(x.quoted(q, out), limit)
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

// maxLowered is how many times longer a text may be than in lower case.
const maxLowered = 3

// named finds the tools that the query mentions by name.
func (x *index) named(q *query, s *scope) map[uint32]int {
	out := map[uint32]int{}
	note := func(name string, how int, fits func(*Tool) bool) {
		if len(name) > maxLowered*maxName {
			return
		}
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

package catalog

import (
	"cmp"
	"slices"
)

// DefaultLimit is how many tools a search returns if the filter does not say.
const DefaultLimit = 10

// A Hit is a tool that a search found.
type Hit struct {
	Tool    Tool     `json:"tool"`
	Score   float64  `json:"score"`   // 0..1, the best first
	Matched []string `json:"matched"` // the words of the queries that it has
	Queries []int    `json:"queries"` // which of the queries it answers
}

// Search finds tools by relevance, within what the filter lets through: a tool that the caller may not see has no part
// in the ranking. Several queries are several needs: each is answered for itself, and the best tools for each come
// first. Words in double quotes stand next to each other in what is found, if any tool has them so.
func (c *Catalog) Search(queries []string, f Filter) []Hit {
	limit := f.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	x := c.index
	s := x.scope(&f)
	hits := map[uint32]*Hit{}
	for i, text := range queries {
		q, all := x.answer(text, s, limit)
		for _, one := range all {
			score := one.score
			if len(queries) > 1 {
				score /= all[0].score // a need in few words is no smaller than one in many
			}
			hit := hits[one.entry]
			if hit == nil {
				hit = &Hit{Tool: x.entries[one.entry].tool.clone()}
				hits[one.entry] = hit
			}
			hit.Score = max(hit.Score, score)
			hit.Queries = append(hit.Queries, i)
			hit.Matched = union(hit.Matched, x.matched(q, one.entry))
		}
	}
	return bestHits(hits, limit)
}

// answer finds the tools for one query. If they are few, misspellings are forgiven.
func (x *index) answer(text string, s *scope, limit int) (*query, []found) {
	q := x.parse(text)
	all := x.rank(q, s, limit)
	if len(all) < few && x.forgive(q, s) {
		all = x.rank(q, s, limit)
	}
	return q, all
}

// matched returns the words of a query that an entry has.
func (x *index) matched(q *query, n uint32) []string {
	first := map[uint32]field{} // the first field that has a term
	for f, words := range slices.Backward(x.entries[n].words[:]) {
		for _, w := range words {
			first[w.stem], first[w.written] = field(f), field(f)
		}
	}
	var out []string
	for _, p := range q.parts {
		if slices.ContainsFunc(p.forms, func(f form) bool {
			in, ok := first[f.term]
			return ok && in < f.fields()
		}) {
			out = union(out, []string{q.words[p.word]})
		}
	}
	return out
}

func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func bestHits(hits map[uint32]*Hit, limit int) []Hit {
	out := make([]Hit, 0, len(hits))
	for _, hit := range hits {
		out = append(out, *hit)
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), byKey(&a.Tool, &b.Tool))
	})
	return out[:min(len(out), limit)]
}

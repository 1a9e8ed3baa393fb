package catalog

import (
	"cmp"
	"slices"
)

// DefaultLimit is the number of search results if the filter has no limit.
const DefaultLimit = 10

// A Hit is a tool that a search found.
type Hit struct {
	Tool    Tool     `json:"tool"`
	Score   float64  `json:"score"`   // 0..1, best first
	Matched []string `json:"matched"` // the words of the queries that it contains, or synonyms of them
	Queries []int    `json:"queries"` // which of the queries it matches
}

// Search finds tools by relevance among those that match the filter: a tool that the caller may not see does not affect
// the ranking. Several queries are separate needs: each is searched separately, and the best tools for each come first.
// Words in double quotes must be adjacent, if any tool has them adjacent.
func (c *Catalog) Search(queries []string, f Filter) []Hit { return c.search(queries, nil, f) }

// search is Search, also by the vectors of the queries if there are any.
func (c *Catalog) search(queries []string, vectors [][]float32, f Filter) []Hit {
	limit := f.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	x := c.index
	f.catalog = c
	s := x.scope(&f)
	hits := map[uint32]*Hit{}
	for i, text := range queries {
		candidates := limit
		if vectors != nil {
			candidates = max(limit, reranked)
		}
		q, all := x.search(text, s, candidates)
		if vectors != nil {
			all = x.fuse(q, all, vectors[i], s, limit)
		}
		m := newMatcher(q)
		for _, one := range all {
			score := one.score
			if len(queries) > 1 {
				score /= all[0].score // a short query is as important as a long one
			}
			hit := hits[one.entry]
			if hit == nil {
				hit = &Hit{Tool: x.entries[one.entry].tool.clone()}
				hits[one.entry] = hit
			}
			hit.Score = max(hit.Score, score)
			hit.Queries = append(hit.Queries, i)
			hit.Matched = union(hit.Matched, m.matched(&x.entries[one.entry]))
		}
	}
	return bestHits(hits, limit)
}

// search finds the tools for one query. Misspelled words are corrected; if few tools are found, all unknown words are.
func (x *index) search(text string, s *scope, limit int) (*query, []found) {
	q := x.parse(text, s)
	x.correct(q, s)
	all := x.rank(q, s, limit)
	if len(all) < few && x.addFuzzy(q, s) {
		all = x.rank(q, s, limit)
	}
	return q, all
}

// A matcher finds the words of a query in tools.
type matcher struct {
	query *query
	terms termFilter
	uses  map[uint32][]use // by term
	found []bool           // by part, of the current tool
}

// A use is a part of a query that a term counts for, in the fields before one.
type use struct {
	part   int
	before field
}

func newMatcher(q *query) *matcher {
	m := &matcher{query: q, uses: map[uint32][]use{}, found: make([]bool, len(q.parts))}
	for i, p := range q.parts {
		for _, f := range p.forms {
			m.terms.add(f.term)
			m.uses[f.term] = append(m.uses[f.term], use{i, f.fields()})
		}
	}
	return m
}

// matched returns the words of the query that an entry has.
func (m *matcher) matched(e *entry) []string {
	clear(m.found)
	for f, words := range e.words {
		for _, w := range words {
			for _, term := range [...]uint32{w.stem, w.written} {
				if !m.terms.may(term) {
					continue
				}
				for _, u := range m.uses[term] {
					m.found[u.part] = m.found[u.part] || field(f) < u.before
				}
			}
		}
	}
	var out []string
	for i, p := range m.query.parts {
		if m.found[i] {
			out = union(out, []string{m.query.words[p.word]})
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
	all := make([]*Hit, 0, len(hits))
	for _, hit := range hits {
		all = append(all, hit)
	}
	slices.SortFunc(all, func(a, b *Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), byKey(&a.Tool, &b.Tool))
	})
	out := make([]Hit, min(len(all), limit))
	for i := range out {
		out[i] = *all[i]
	}
	return out
}

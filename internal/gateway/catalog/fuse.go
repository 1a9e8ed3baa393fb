package catalog

import (
	"cmp"
	"context"
	"slices"
)

// meaningWeight is the weight of the meaning of a query beside its words. Both scores are scaled to 0..1 first: that
// ranks better than adding ranks, which lose how much better the first one is.
const meaningWeight = .5

// SearchContext is Search by words and, with embeddings, also by meaning. If those are not available within their
// timeout, it is the same as Search.
func (c *Catalog) SearchContext(ctx context.Context, queries []string, f Filter) []Hit {
	c.mu.RLock()
	e := c.embedder
	c.mu.RUnlock()
	if e == nil {
		return c.Search(queries, f)
	}
	return c.search(queries, e.vectorsOf(ctx, queries), f)
}

// fuse adds the tools that are closest in meaning to those that were found by words, and returns the best. A tool that
// the query names stays first.
func (x *index) fuse(q *query, words []found, vector []float32, s *scope, limit int) []found {
	near, least := x.nearest(vector, s)
	if len(near) == 0 {
		return words[:min(len(words), limit)]
	}
	best, closest := 1e-9, near[0].score
	all := map[uint32]found{}
	for _, f := range words {
		best = max(best, f.score)
		all[f.entry] = f
	}
	scaled := func(n uint32) float64 {
		if closest <= least {
			return 1
		}
		return max(0, (dot(x.entries[n].vector, vector)-least)/(closest-least))
	}
	for n, f := range all {
		if f.named < 2 {
			f.score = (1-meaningWeight)*f.score/best + meaningWeight*scaled(n)
		}
		all[n] = f
	}
	var out []found
	for _, f := range near {
		if _, had := all[f.entry]; !had {
			out = append(out, found{entry: f.entry, score: meaningWeight * scaled(f.entry)})
		}
	}
	for _, f := range all {
		out = append(out, f)
	}
	x.demote(q, out)
	out = slices.DeleteFunc(out, func(f found) bool { return f.score <= 0 })
	slices.SortFunc(out, x.compare)
	return out[:min(len(out), limit)]
}

// nearest returns the tools in scope that are closest to a vector, and the score of the last one.
func (x *index) nearest(vector []float32, s *scope) (near []found, least float64) {
	for n := range x.entries {
		if v := x.entries[n].vector; len(v) == len(vector) && (s.in == nil || s.in[n]) {
			near = append(near, found{entry: uint32(n), score: dot(v, vector)})
		}
	}
	slices.SortFunc(near, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
	})
	if near = near[:min(len(near), reranked)]; len(near) > 0 {
		least = near[len(near)-1].score
	}
	return near, least
}

// dot is the cosine of two vectors of length 1; 0 if they are of different models.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := float32(0)
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}

package find

import (
	"context"
	"slices"
)

// A Query is a search with the tools that it should return.
type Query struct {
	Text  string
	Tools []int // indexes of the expected tools; none if unknown
	Own   bool  // made from the words of the tool
}

// A QueryResult is what one engine returns for a query.
type QueryResult struct {
	Rank int   // the best rank of an expected tool, from 1 on; 0 if none is returned
	Top  []int // the first tools
}

// A Report is what each engine returns for each query.
type Report struct {
	Queries []Query
	Answers [][]QueryResult // by query and engine
	Lost    [][]int         // by engine: tools that it returns for none of their own queries
	Shadows [][]Shadow      // by engine
}

// A Shadow is a tool that a search ranks first for the name of another tool, which is not among the results.
type Shadow struct{ Tool, By int }

// Run ranks the tools for each query with each engine. What it returns is incomplete if the context has ended.
func Run(ctx context.Context, engines []Engine, tools []Tool, queries []Query) *Report {
	r := &Report{Queries: queries, Answers: make([][]QueryResult, len(queries))}
	for _, engine := range engines {
		search := engine.New(tools)
		found, known := map[int]bool{}, map[Shadow]bool{}
		var shadows []Shadow
		for i, q := range queries {
			var a QueryResult
			if ctx.Err() == nil {
				a = newQueryResult(search.Rank(q.Text), q, engine.Limit)
			}
			r.Answers[i] = append(r.Answers[i], a)
			if !q.Own {
				continue
			}
			tool := q.Tools[0]
			within := a.Rank > 0 && a.Rank <= engine.Limit
			found[tool] = found[tool] || within
			if shadow := (Shadow{tool, -1}); !within && len(a.Top) > 0 {
				if shadow.By = a.Top[0]; !known[shadow] {
					known[shadow], shadows = true, append(shadows, shadow)
				}
			}
		}
		var lost []int
		for _, q := range queries {
			if q.Own && !found[q.Tools[0]] {
				lost = append(lost, q.Tools[0])
			}
		}
		r.Lost, r.Shadows = append(r.Lost, slices.Compact(lost)), append(r.Shadows, shadows)
	}
	return r
}

func newQueryResult(hits []Hit, q Query, limit int) QueryResult {
	var a QueryResult
	for _, h := range hits[:min(len(hits), limit)] {
		a.Top = append(a.Top, h.Tool)
	}
	for _, tool := range q.Tools {
		if rank := RankOf(hits, tool); rank > 0 && (a.Rank == 0 || rank < a.Rank) {
			a.Rank = rank
		}
	}
	return a
}

package catalog_test

import (
	"math"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// floors are the better of two plain implementations of BM25, as published with the sets: recall@1, recall@5, nDCG@10
// and the mean reciprocal rank. Where vocabulary is free, nDCG@10 must be .03 above it.
var floors = map[string]struct{ recall1, recall5, ndcg10, mrr, above float64 }{
	"azure2025":      {.801, .947, .889, .864, 0},
	"livemcpbench":   {.154, .361, .361, .468, .03},
	"metatool":       {.469, .681, .616, .589, .03},
	"toolret-apigen": {.600, .833, .785, .789, 0},
}

func TestSearchIsAtLeastAsGoodAsPlainBM25(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("asks thousands of queries")
	}
	for _, set := range labelledSets(t) {
		floor, ok := floors[set.name]
		if !ok {
			continue // a set that came later
		}
		got := set.measure(searcherOf(fill(t, set.tools)))
		t.Logf("%s: %+v", set.name, got)
		atLeast := func(metric string, got, want float64) {
			if math.Round(got*1000)/1000 < want-1e-9 { // the floors have three digits
				t.Errorf("%s: %s is %.4f, want at least %.3f", set.name, metric, got, want)
			}
		}
		atLeast("recall@1", got.recall1, floor.recall1)
		atLeast("recall@5", got.recall5, floor.recall5)
		atLeast("ndcg@10", got.ndcg10, floor.ndcg10+floor.above)
		atLeast("mrr", got.mrr, floor.mrr)
	}
}

// Among thousands of other tools there are no published figures, so plain BM25 runs beside.
func TestSearchAmongDistractorsIsAtLeastAsGoodAsPlainBM25(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("asks thousands of queries")
	}
	others := distractors(t)
	for _, set := range labelledSets(t) {
		set.queries = every(set.queries, 1+len(set.queries)/400)
		c := fill(t, set.tools, others)
		got, plain := set.measure(searcherOf(c)), set.measure(plainSearch(c.List(catalog.Filter{})))
		t.Logf("%s: %+v, plain BM25 %+v", set.name, got, plain)
		for metric, pair := range map[string][2]float64{
			"recall@1": {got.recall1, plain.recall1}, "recall@5": {got.recall5, plain.recall5},
			"recall@10": {got.recall10, plain.recall10},
			"ndcg@10":   {got.ndcg10, plain.ndcg10}, "mrr": {got.mrr, plain.mrr},
		} {
			if pair[0] < pair[1] {
				t.Errorf("%s: %s is %.4f, plain BM25 reaches %.4f", set.name, metric, pair[0], pair[1])
			}
		}
	}
}

// every returns every nth item.
func every[T any](all []T, n int) (out []T) {
	for i := 0; i < len(all); i += n {
		out = append(out, all[i])
	}
	return out
}

// BenchmarkSearch reports how good search is on each labelled set, and how long a query takes.
func BenchmarkSearch(b *testing.B) {
	for _, set := range labelledSets(b) {
		b.Run(set.name, func(b *testing.B) { set.report(b, fill(b, set.tools)) })
	}
}

// BenchmarkSearchAmongDistractors does the same with some thousand real tools beside those of the set. Some of them
// would do as well as the labelled ones, so that the figures are a lower bound.
func BenchmarkSearchAmongDistractors(b *testing.B) {
	others := distractors(b)
	for _, set := range labelledSets(b) {
		b.Run(set.name, func(b *testing.B) { set.report(b, fill(b, set.tools, others)) })
	}
}

func (l *labelled) report(b *testing.B, c *catalog.Catalog) {
	got := l.measure(searcherOf(c))
	i := 0
	for b.Loop() {
		c.Search([]string{l.queries[i%len(l.queries)].Query}, catalog.Filter{})
		i++
	}
	b.ReportMetric(got.recall1, "recall@1")
	b.ReportMetric(got.recall5, "recall@5")
	b.ReportMetric(got.recall10, "recall@10")
	b.ReportMetric(got.ndcg10, "ndcg@10")
	b.ReportMetric(got.mrr, "mrr")
}

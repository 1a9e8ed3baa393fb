package catalog_test

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

var plainWord = regexp.MustCompile(`[a-z0-9]+`)

// plainSearch is BM25 as it is in the books, over names and descriptions: what search must be better than.
func plainSearch(tools []catalog.Tool) searcher {
	const k1, b = 1.2, .75
	type occurrence struct {
		tool  int
		count float64
	}
	lists, lengths, total := map[string][]occurrence{}, make([]float64, len(tools)), 0.0
	for i, t := range tools {
		for _, w := range plainWord.FindAllString(strings.ToLower(t.Name+" "+t.Description), -1) {
			list := lists[w]
			if last := len(list) - 1; last >= 0 && list[last].tool == i {
				list[last].count++
			} else {
				lists[w] = append(list, occurrence{i, 1})
			}
			lengths[i]++
			total++
		}
	}
	average, n := total/float64(len(tools)), float64(len(tools))
	return func(query string) []catalog.Key {
		scores := make([]float64, len(tools))
		words := plainWord.FindAllString(strings.ToLower(query), -1)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			df := float64(len(lists[w]))
			for _, o := range lists[w] {
				scores[o.tool] += math.Log(1+(n-df+.5)/(df+.5)) * o.count * (k1 + 1) / (o.count +
					k1*(1-b+b*lengths[o.tool]/average))
			}
		}
		var best []int
		for i, score := range scores {
			if score > 0 {
				best = append(best, i)
			}
		}
		slices.SortFunc(best, func(i, j int) int {
			return cmp.Or(cmp.Compare(scores[j], scores[i]),
				cmp.Compare(i, j))
		})
		var out []catalog.Key
		for _, i := range best[:min(len(best), 10)] {
			out = append(out, tools[i].Key())
		}
		return out
	}
}

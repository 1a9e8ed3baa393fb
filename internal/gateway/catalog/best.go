package catalog

import (
	"cmp"
	"math"
	"slices"
)

// best returns the best n, in order.
func (x *index) best(all []found, limit int) []found {
	if len(all) > limit {
		top := topK{index: x, limit: limit}
		for _, f := range all {
			top.add(f)
		}
		all = top.all
	}
	slices.SortFunc(all, x.compare)
	return all
}

// A topK holds the best n, as a heap: the worst of them is the first.
type topK struct {
	index *index
	limit int
	all   []found
}

func (t *topK) add(f found) {
	switch {
	case len(t.all) < t.limit:
		t.all = append(t.all, f)
		if len(t.all) == t.limit {
			for i := t.limit/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
	case t.limit > 0 && t.index.compare(f, t.all[0]) < 0:
		t.all[0] = f
		t.sink(0)
	}
}

// sink moves an item below those that are worse.
func (t *topK) sink(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.all); child++ {
			if t.index.compare(t.all[child], t.all[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.all[i], t.all[worst] = t.all[worst], t.all[i]
		i = worst
	}
}

// blocksPerTool is how many blocks of scores reached compares for each tool that is wanted.
const blocksPerTool = 4

// reached returns a score that at least n tools reach: the nth of the highest scores of blocks. It is close to the nth
// of all scores, so that few tools remain to be sorted. It is 0 if there are fewer tools.
func reached(scores []float64, n int) float64 {
	if len(scores) <= n || n == 0 {
		return 0
	}
	size := max(1, len(scores)/n/blocksPerTool)
	highest := make([]uint64, 0, len(scores)/size)
	for ; len(scores) >= size; scores = scores[size:] {
		high := uint64(0)
		for _, score := range scores[:size] {
			high = max(high, math.Float64bits(score)) // scores are not negative: their bits sort like them
		}
		highest = append(highest, high)
	}
	slices.Sort(highest)
	return math.Float64frombits(highest[len(highest)-n])
}

// compare sorts the better tool first. Ties are sorted by key, so that the order is stable.
func (x *index) compare(a, b found) int {
	switch {
	case a.named != b.named:
		return cmp.Compare(b.named, a.named)
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return cmp.Compare(x.places[a.entry], x.places[b.entry])
}

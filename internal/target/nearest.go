package target

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest lists at most three names that are similar to a misspelled one, the best first.
func Nearest(name string, names []string) []string {
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	limit := max(1, len(name)/3)
	for _, known := range names {
		d := distance(strings.ToLower(name), strings.ToLower(known))
		if len(name) >= 3 && strings.Contains(strings.ToLower(known), strings.ToLower(name)) {
			d = min(d, 1)
		}
		if d <= limit && !slices.ContainsFunc(near, func(s scored) bool { return s.name == known }) {
			near = append(near, scored{known, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	var out []string
	for _, s := range near[:min(3, len(near))] {
		out = append(out, s.name)
	}
	return out
}

// distance counts the insertions, deletions, replacements and transpositions between two texts, using at most the first
// 64 bytes.
func distance(a, b string) int {
	a, b = a[:min(64, len(a))], b[:min(64, len(b))]
	var before, last []int // the previous rows
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			replace := last[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

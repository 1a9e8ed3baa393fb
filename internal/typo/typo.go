// Package typo finds the word that a misspelled one was probably meant to be.
package typo

import (
	"cmp"
	"slices"
	"strings"
)

// MaxWord is the maximum length of a word that is compared: longer text is not a typo, and expensive to compare.
const MaxWord = 128

// Distance is the number of letters to insert, delete, replace or swap with their neighbor to turn one word into the
// other; anything above the limit, and any word that is too long, is returned as more than the limit. It compares
// bytes.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > MaxWord || len(b) > MaxWord {
		return limit + 1
	}
	var rows [3][MaxWord + 1]uint8
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = uint8(j)
	}
	for i := 1; i <= len(a); i++ {
		now[0] = uint8(i)
		least := now[0]
		for j := 1; j <= len(b); j++ {
			cost := uint8(1)
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
			least = min(least, now[j])
		}
		if int(least) > limit {
			return limit + 1
		}
		before, last, now = last, now, before
	}
	return min(int(last[len(b)]), limit+1)
}

// Nearest lists at most three names that are similar to a misspelled one, the best first. Case is ignored, and a name
// that contains the word counts as one letter away.
func Nearest(word string, names []string) []string {
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	word = strings.ToLower(word)
	limit := max(1, len(word)/3)
	for _, name := range names {
		d := Distance(word, strings.ToLower(name), limit)
		if len(word) >= 3 && strings.Contains(strings.ToLower(name), word) {
			d = min(d, 1)
		}
		if d <= limit && !slices.ContainsFunc(near, func(s scored) bool { return s.name == name }) {
			near = append(near, scored{name, d})
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

// Best returns the known word that was probably meant; empty if none is close. It tolerates one letter more than
// Nearest, for short lists of known words.
func Best(word string, known []string) string {
	best, limit := "", len(word)/3+1
	for _, k := range known {
		if d := Distance(strings.ToLower(word), strings.ToLower(k), limit); d <= limit {
			best, limit = k, d-1
		}
	}
	return best
}

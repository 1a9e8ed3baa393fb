package arguments

import (
	"fmt"
	"slices"
	"strings"
)

// distinguish gives variants different labels: objects by the properties that only they require or have, others by a
// number.
func distinguish(variants []Field) {
	labels := map[string]int{}
	for i := range variants {
		labels[variants[i].Label]++
	}
	named := make([]string, len(variants))
	for i := range variants {
		if labels[variants[i].Label] > 1 {
			named[i] = ownNames(variants, i)
		}
	}
	seen := map[string]int{}
	for i := range variants {
		if named[i] != "" && !slices.Contains(named[:i], named[i]) {
			variants[i].Label = named[i]
		}
		label := variants[i].Label
		if seen[label]++; seen[label] > 1 {
			variants[i].Label = fmt.Sprintf("%s %d", label, seen[label])
		}
	}
}

// maxNames is the number of properties that name a variant.
const maxNames = 3

// ownNames returns the properties that a variant requires, or else has, and not all others do.
func ownNames(variants []Field, at int) string {
	for _, counts := range []func(*Field) bool{func(f *Field) bool { return f.Required }, func(*Field) bool { return true }} {
		var own []string
		for i := range variants[at].Fields {
			f := &variants[at].Fields[i]
			shared := !slices.ContainsFunc(variants, func(other Field) bool {
				same := field(other.Fields, f.Name)
				return same == nil || !counts(same)
			})
			if counts(f) && !shared && len(own) < maxNames {
				own = append(own, f.Name)
			}
		}
		if len(own) > 0 {
			return strings.Join(own, ", ")
		}
	}
	return ""
}

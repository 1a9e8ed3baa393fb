package catalog

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// However tools are added and removed between two searches, and numbers used again, each tool is in the order of keys
// once.
func TestOrderOfKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := newIndex()
		tools := map[string]*Tool{}
		for range rapid.IntRange(1, 10).Draw(t, "rounds") {
			for range rapid.IntRange(0, 8).Draw(t, "changes") {
				name := rapid.StringMatching(`[a-h]`).Draw(t, "name")
				if old := tools[name]; old != nil {
					x.remove(old)
					delete(tools, name)
					continue
				}
				tools[name] = &Tool{Name: name}
				x.add(tools[name])
			}
			x.settle()
			var want []uint32
			for n, e := range x.entries {
				if e.tool != nil {
					want = append(want, uint32(n))
				}
			}
			slices.SortFunc(want, func(a, b uint32) int { return byKey(x.entries[a].tool, x.entries[b].tool) })
			if !slices.Equal(x.order, want) {
				t.Fatalf("the order is %v, expected %v", x.order, want)
			}
			for place, n := range want {
				if x.places[n] != uint32(place) {
					t.Fatalf("entry %d is in place %d, expected %d", n, x.places[n], place)
				}
			}
		}
	})
}

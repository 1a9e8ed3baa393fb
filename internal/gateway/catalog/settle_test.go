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

// A rebuilt index has the embeddings of its tools: those are requested again only when tools change.
func TestRebuildKeepsEmbeddings(t *testing.T) {
	x := newIndex()
	listed, own := &Tool{Server: "a", Name: "listed"}, &Tool{Server: "a", Name: "own"}
	x.add(listed)
	x.insertOwn(own)
	for i, tool := range []*Tool{listed, own} {
		x.entries[x.numbers[tool]].vector = []float32{float32(i + 1)}
	}
	x.rebuild()
	for i, tool := range []*Tool{listed, own} {
		if e := x.entries[x.numbers[tool]]; len(e.vector) != 1 || e.vector[0] != float32(i+1) {
			t.Errorf("%s has the vector %v", tool.Name, e.vector)
		}
	}
}

package conform

import "testing"

func TestIsMark(t *testing.T) {
	content := func(text string) string { return `[{"type":"text","text":"` + text + `"}]` }
	for _, c := range []struct {
		expected, got string
		want          bool
	}{
		{"MISS 4", "HIT 4", true},
		{"4 (fresh: true)", "4 (fresh: false)", true},
		{"4, calls: 1", "4, calls: 2", true},
		{"the sum is 3", "the sum is 5", false},
		{"true", "false", false},
		{"a, b, c", "a, b", false},
		{"a b c", "c b a", false},
		{"the cheapest is Dune", "the cheapest is Emma", false},
	} {
		if got := isMark(content(c.expected), content(c.got)); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.expected, c.got, got, c.want)
		}
	}
}

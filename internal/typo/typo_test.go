package typo

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", MaxWord)
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 2, 0}, {"abc", "abc", 2, 0},
		{"abc", "abcd", 2, 1}, {"abcd", "abc", 2, 1}, {"abc", "adc", 2, 1}, {"abcd", "acbd", 2, 1},
		{"abcd", "badc", 2, 2}, {"abc", "xyz", 2, 3}, {"", "abc", 3, 3}, {"abc", "a", 1, 2},
		{"abc", "xyz", 0, 1}, {"kitten", "sitting", 9, 3},
		{long, long[1:] + "y", 2, 1}, {long, long, 2, 0}, {long + "x", long + "x", 2, 3},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Distance(%.20q, %.20q, %d) = %d, expected %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}

// The limit only stops the computation early: below it, the distance is the one without a limit.
func TestDistanceLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{0,9}`)
		a, b, limit := word.Draw(t, "a"), word.Draw(t, "b"), rapid.IntRange(0, 9).Draw(t, "limit")
		full := Distance(a, b, MaxWord)
		if got := Distance(a, b, limit); got != min(full, limit+1) {
			t.Errorf("Distance(%q, %q, %d) = %d, without a limit %d", a, b, limit, got, full)
		}
		if back := Distance(b, a, MaxWord); back != full {
			t.Errorf("Distance(%q, %q) = %d, reversed %d", a, b, full, back)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"list_files", "read_file", "Echo", "echo", "add", "add", "list_filters"}
	for word, want := range map[string][]string{
		"lst_files":                {"list_files", "list_filters"},
		"FILE":                     {"list_files", "read_file"},
		"ecoh":                     {"Echo", "echo"},
		"ad":                       {"add"},
		"x":                        nil,
		"something else":           nil,
		strings.Repeat("t", 1<<20): nil,
	} {
		if got := Nearest(word, names); !slices.Equal(got, want) {
			t.Errorf("Nearest(%.20q) = %q, expected %q", word, got, want)
		}
	}
	if got := Nearest("abc", []string{"abc4", "abc3", "abc2", "abc1"}); !slices.Equal(got,
		[]string{"abc1", "abc2", "abc3"}) {
		t.Errorf("got %q, expected three names", got)
	}
}

func TestBest(t *testing.T) {
	known := []string{"timeout", "tools", "threshold", "concurrency"}
	for word, want := range map[string]string{
		"tiemout": "timeout", "TOOLS": "tools", "treshold": "threshold", "concurency": "concurrency", "x": "",
		"resources": "", strings.Repeat("t", 1<<20): "",
	} {
		if got := Best(word, known); got != want {
			t.Errorf("Best(%.20q) = %q, expected %q", word, got, want)
		}
	}
	if got := Best("tool", []string{"pool", "tool", "tooll"}); got != "tool" {
		t.Errorf("got %q, expected the same word", got)
	}
}

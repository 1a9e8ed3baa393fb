package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestNegated(t *testing.T) {
	for text, want := range map[string][2]string{
		"issues but not pull requests":          {"issues but", "pull requests"},
		"search the web, not news":              {"search the web,", "news"},
		"read a file instead of a directory":    {"read a file", "a directory"},
		"files, except images, in a folder":     {"files, in a folder", "images,"},
		"list users without groups in a tenant": {"list users in a tenant", "groups"},
		"do not disturb":                        {"do not disturb", ""},
		"not":                                   {"not", ""},
		"send example.com/a.b, not":             {"send example.com/a.b, not", ""},
		"":                                      {"", ""},
	} {
		wanted, unwanted := negated(text)
		if wanted != want[0] || !slices.Equal(unwanted, strings.Fields(want[1])) {
			t.Errorf("%q: got %q and %q, expected %q and %q", text, wanted, unwanted, want[0], want[1])
		}
	}
}

package schema

import (
	"slices"
	"testing"
)

func TestMentioned(t *testing.T) {
	t.Parallel()
	for description, want := range map[string][]string{
		"Item id such as itm-003":                                   {"itm-003"},
		"Products of a category such as kitchen, office or travel.": {"kitchen", "office", "travel"},
		`The city, e.g. "New York" or 'Berlin'.`:                    {"New York", "Berlin"},
		"Name of a station such as Berlin.":                         {"Berlin"},
		"A path, for example /tmp/a.txt (absolute)":                 {"/tmp/a.txt"},
		"The query.": nil,
	} {
		if got := Mentioned(description); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, expected %q", description, got, want)
		}
	}
}

package schema

import (
	"slices"
	"testing"
)

func TestOffered(t *testing.T) {
	t.Parallel()
	for message, want := range map[string][]string{
		"There is no invoice with this number. The invoices are I-1 and I-2.": {"I-1", "I-2"},
		"Unknown city. Known cities: Oslo, Paris, Cairo, Rome":                {"Oslo", "Paris", "Cairo"},
		`unit must be one of "kg", "g" or "m"`:                                {"kg", "g", "m"},
		"No such shelf, try 'A 12'.":                                          {"A 12"},
		"There is no book with the ID x. Use search_books to find IDs.":       nil,
		"Error: failed": nil,
		"":              nil,
	} {
		if got := Offered(message); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, expected %q", message, got, want)
		}
	}
	for description, want := range map[string][]string{"number of the invoice: I-1 or I-2": {"I-1", "I-2"}, "The invoice": nil,
		"one of b1, b2 and b3": {"b1", "b2", "b3"}, "such as b1": nil} {
		if got := Listed(description); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, expected %q", description, got, want)
		}
	}
}

// A path may be that of a folder, and of two sides of a comparison one has the default of the other.
func TestSuggested(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"path": true, "sub_dir": true, "targetFolder": true, "pathology": false, "json_path": false,
		"xpath": false} {
		if got := MayBeFolder(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	input := []byte(`{"properties":{"to":{"default":"HEAD"},"old_ref":{"default":"main"},"city":{"default":"Oslo"}}}`)
	for name, want := range map[string]string{"from": "HEAD", "new_ref": "main", "new": "", "to": "", "country": ""} {
		if got := DefaultOfOther(input, name); got != want {
			t.Errorf("%s: got %q, expected %q", name, got, want)
		}
	}
}

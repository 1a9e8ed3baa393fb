package cases

import "testing"

// TestUnicodeClass excuses texts beyond ASCII for which regular expressions of Python and JavaScript differ.
func TestUnicodeClass(t *testing.T) {
	for violates, want := range map[string]bool{
		`pattern at query: query: expected a string that matches \w, received "éé"`:       true,
		`pattern at query: query: expected a string that matches \w, received "!!"`:       false,
		`pattern at query: query: expected a string that matches ^[a-z]+$, received "éé"`: false,
		`minLength at query: query: expected at least 3 characters, received "é\w"`:       false,
	} {
		if got := (&Case{Violates: violates}).ReadsUnicodeClass(); got != want {
			t.Errorf("%s: got %v", violates, got)
		}
	}
}

package inspector

import "testing"

// What a hint says of flags is said in the words of the page, or not at all.
func TestHintsHaveNoFlags(t *testing.T) {
	for hint, want := range map[string]string{
		"add its authority to the system's, or pass --insecure for a local test": "add its authority to the system's, or accept any certificate in the options, for a local test",
		"a longer --timeout; use --trace to see what it said":                    "a longer timeout; open Wire to see what it said",
		"it may want another revision: --protocol 2025-06-18":                    "it may want another revision: choose 2025-06-18",
		"try again\nwrite --header 'A: b'":                                       "try again",
	} {
		if got := withoutFlags(hint); got != want {
			t.Errorf("withoutFlags(%q) = %q, want %q", hint, got, want)
		}
	}
}

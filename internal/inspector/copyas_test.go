package inspector

import "testing"

// A secret of a header is a variable of the shell.
func TestCurlHeader(t *testing.T) {
	if got, want := curlHeader("Authorization", "Bearer [redacted]"),
		`'Authorization: Bearer '"$AUTHORIZATION"`; got != want {
		t.Errorf("a secret header is %s, want %s", got, want)
	}
	if got, want := curlHeader("X", "it's"), `'X: it'\''s'`; got != want {
		t.Errorf("a header is %s, want %s", got, want)
	}
}

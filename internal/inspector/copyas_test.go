package inspector

import "testing"

// A word for a shell is one word again when the shell has read it.
func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"add": "add", "": "''", "a b": "'a b'", `{"a":"it's"}`: `'{"a":"it'\''s"}'`, "$HOME": "'$HOME'",
		"`id`": "'`id`'", "a;b": "'a;b'", "http://h:1/p?x=1": "'http://h:1/p?x=1'", "--flag": "--flag", "é": "'é'",
	} {
		if got := quote(word); got != want {
			t.Errorf("quote(%q) = %s, want %s", word, got, want)
		}
	}
	if got, want := curlHeader("Authorization", "Bearer [redacted]"),
		`'Authorization: Bearer '"$AUTHORIZATION"`; got != want {
		t.Errorf("a secret header is %s, want %s", got, want)
	}
	if got, want := curlHeader("X", "it's"), `'X: it'\''s'`; got != want {
		t.Errorf("a header is %s, want %s", got, want)
	}
}

package shell

import (
	"os/exec"
	"strings"
	"testing"
)

// What is copied for a shell comes out as it went in, and holds nothing that a terminal obeys when it is pasted.
func TestQuoteInAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	for _, word := range []string{"plain", "", "two words", "it's", `back\slash`, "$HOME `id` $(id)",
		"line\nbreak\ttab", "\x1b[201~\rrm -rf /\r", "é \u009b1m ü", "\x7f\x03'\\"} {
		quoted := Quote(word)
		if strings.ContainsFunc(quoted, hasControlChars) {
			t.Errorf("Quote(%q) = %q has control characters in it", word, quoted)
		}
		if err != nil {
			continue // there is no shell to ask
		}
		out, err := exec.Command(bash, "-c", "printf %s "+quoted).Output()
		if err != nil || string(out) != word {
			t.Errorf("a shell reads %q as %q (%v), want %q", quoted, out, err, word)
		}
	}
}

// A word for a shell is one word again when the shell has read it.
func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"add": "add", "": "''", "a b": "'a b'", `{"a":"it's"}`: `'{"a":"it'\''s"}'`, "$HOME": "'$HOME'",
		"`id`": "'`id`'", "a;b": "'a;b'", "http://h:1/p?x=1": "'http://h:1/p?x=1'", "--flag": "--flag", "é": "'é'",
	} {
		if got := Quote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}

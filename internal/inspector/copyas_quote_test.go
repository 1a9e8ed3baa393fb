package inspector

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
		quoted := quote(word)
		if strings.ContainsFunc(quoted, hasControlChars) {
			t.Errorf("quote(%q) = %q has control characters in it", word, quoted)
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

package schema

import (
	"regexp"
	"testing"
)

// TestOtherMatches requires other strings than the one of a sample, each of which matches.
func TestOtherMatches(t *testing.T) {
	for pattern, want := range map[string]int{
		`^c[0-9]+$`: 2, `^[A-Z]{2}\d{9}[A-Z]{2}$`: 1, `^(open|closed)$`: 2, `^[a-z0-9-]{1,64}$`: 2, `^x$`: 1, `^a{300}$`: 0,
		`^\d{4}-\d{2}$`: 2, `(?=.*\d)^\w+$`: 2,
	} {
		got := OtherMatches(pattern, 0, 100, 2)
		if len(got) < want {
			t.Errorf("%s: got %q, expected %d", pattern, got, want)
		}
		for _, text := range got {
			if plain := withoutLookaround(pattern); !regexp.MustCompile(plain).MatchString(text) {
				t.Errorf("%s: %q does not match", pattern, text)
			}
		}
		t.Log(pattern, got)
	}
}

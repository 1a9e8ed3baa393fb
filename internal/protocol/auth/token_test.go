package auth

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Secrets of a form are hidden by their names, however short they are.
func TestShownForm(t *testing.T) {
	got := displayForm(map[string][]string{"code": {"x"}, "client_secret": {"y"}, "refresh_token": {"z"},
		"assertion": {"j"}, "grant_type": {"a b"}, "code_verifier": {""}})
	want := "assertion=[redacted]&client_secret=[redacted]&code=[redacted]&code_verifier=&grant_type=a+b&refresh_token=[redacted]"
	if got != want {
		t.Errorf("shownForm = %s\nwant %s", got, want)
	}
}

func TestLife(t *testing.T) {
	for text, want := range map[string]time.Duration{`3600`: time.Hour, `"3600"`: time.Hour, `0`: 0, `-5`: 0, `null`: 0,
		``: 0, `"soon"`: 0, `1e300`: maxLife, `0.5`: time.Second / 2} {
		if got := (&tokens{ExpiresIn: jsontext.Value(text)}).life(); got != want {
			t.Errorf("expires_in %s means %v, want %v", text, got, want)
		}
	}
}

package redact

import (
	"net/http"
	"strings"
	"testing"
)

// Every token format is hidden from its minimum length on, and not below it.
func TestTokenLengths(t *testing.T) {
	for _, s := range tokenShapes {
		token := func(n int) string { return s.prefix + strings.Repeat("a", n-1) + "1" }
		if got := Text("key " + token(s.min) + " end"); got != "key "+Placeholder+" end" {
			t.Errorf("%s with %d bytes: %q, expected the placeholder", s.prefix, s.min, got)
		}
		short := "key " + token(s.min-1) + " end"
		if got := Text(short); got != short {
			t.Errorf("%s with %d bytes: %q, expected it unchanged", s.prefix, s.min-1, got)
		}
		words := "key " + s.prefix + strings.Repeat("a", s.min) + " end"
		if got := Text(words); (got == words) != s.digit {
			t.Errorf("%s without a digit: %q; digit required: %v", s.prefix, got, s.digit)
		}
	}
}

// A web token has three parts, or five; the first has at least eight bytes.
func TestWebTokenParts(t *testing.T) {
	for text, hidden := range map[string]bool{
		"eyJabcde.b.c":       true,
		"eyJabcd.b.c":        false,
		"eyJabcde.b":         false,
		"eyJabcde":           false,
		"eyJabcde.b.c.d.e":   true,
		"eyJab-_e.b-_.c_":    true,
		"xeyJabcde.b.c":      false,
		"(eyJabcde.b.c)":     true,
		"eyJabcde.b.c.d.e.f": true,
	} {
		if got := Text(text); (got != text) != hidden {
			t.Errorf("%s becomes %s; hidden expected: %v", text, got, hidden)
		}
	}
	if got := Text("eyJabcde.b.c.d.e.fgh"); got != Placeholder+".fgh" {
		t.Errorf("a sixth part belongs to the text: %q", got)
	}
}

// The scheme of a credential stays readable only if a credential follows it.
func TestHeaderSchemes(t *testing.T) {
	for value, want := range map[string]string{
		"Bearer abc":  "Bearer " + Placeholder,
		"Bearer ":     Placeholder,
		"Bearer":      Placeholder,
		"Secret abc":  Placeholder,
		"DPoP abc":    "DPoP " + Placeholder,
		"basic a b c": "basic " + Placeholder,
	} {
		got := Header(http.Header{"Authorization": {value}}).Get("Authorization")
		if got != want {
			t.Errorf("Authorization: %q becomes %q, expected %q", value, got, want)
		}
	}
}

// A parameter name is decoded before it is judged; one that cannot be decoded is taken as it is.
func TestParameterNames(t *testing.T) {
	for query, want := range map[string]string{
		"api%5Fkey=x":   "api%5Fkey=" + Placeholder,
		"token%zz=x":    "token%zz=" + Placeholder,
		"page%zz=x":     "page%zz=x",
		"access_token=": "access_token=",
		"access_token":  "access_token",
		"a=1&token=x;b": "a=1&token=" + Placeholder + ";b",
	} {
		if got := URL("https://h/p?" + query); got != "https://h/p?"+want {
			t.Errorf("?%s becomes %s, expected ?%s", query, got, want)
		}
	}
}

package spec

import (
	"encoding/json"
	"testing"
)

func TestIsURI(t *testing.T) {
	for text, want := range map[string]bool{
		"note://one":              true,
		"urn:isbn:1":              true,
		"wiki://%2Fetc%2Fhosts":   true, // RFC 3986 allows any escape in a host
		"wiki://a%zz":             false,
		"/package.json":           false,
		"file:///my%20docs/a.txt": true,
	} {
		raw, _ := json.Marshal(text)
		if got := isURI(raw); got != want {
			t.Errorf("isURI(%q) = %v, want %v", text, got, want)
		}
	}
}

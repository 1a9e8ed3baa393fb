package connections

import (
	"strings"
	"testing"
)

func TestParseHeaderEnv(t *testing.T) {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"TOKEN": "s3cret", "DOLLAR": "$HOME", "EMPTY": ""}[name]
		return value, ok
	}
	for given, want := range map[string]HeaderEnv{
		"TOKEN@https://Host.example":          {"https://host.example:443", "Authorization: Bearer s3cret"},
		"X-Key=TOKEN@http://127.0.0.1:80/":    {"http://127.0.0.1:80", "X-Key: s3cret"},
		"X-Key=DOLLAR@https://host:8443":      {"https://host:8443", "X-Key: $$HOME"},
		"Authorization=DOLLAR@http://[::1]:1": {"http://::1:1", "Authorization: $$HOME"},
	} {
		if got, err := ParseHeaderEnv(given, lookup); err != nil || got != want {
			t.Errorf("ParseHeaderEnv(%q) = %+v, %v; want %+v", given, got, err, want)
		}
	}
	for _, given := range []string{"TOKEN", "TOKEN@", "TOKEN@host", "TOKEN@ftp://host", "TOKEN@https://host/path",
		"TOKEN@https://u@host", "NOT_SET@https://host",
		"EMPTY@https://host", "=TOKEN@https://host", "X=@https://host", "TOKEN@https://host?x=1"} {
		if got, err := ParseHeaderEnv(given, lookup); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("ParseHeaderEnv(%q) = %+v, %v; want it refused", given, got, err)
		}
	}
}

func TestHeadersFor(t *testing.T) {
	p := &Policy{Headers: []HeaderEnv{{"https://host.example:443", "A: b"}}}
	for address, want := range map[string]int{
		"https://host.example/mcp": 1, "https://HOST.example:443/": 1, "http://host.example/": 0,
		"https://host.example:8443/": 0,
		"https://host.example.evil/": 0, "https://evil/?https://host.example": 0, "https://host.example@evil/": 0,
		"::": 0,
	} {
		if got := p.headersFor(address); len(got) != want {
			t.Errorf("headersFor(%q) = %v; want %d", address, got, want)
		}
	}
}

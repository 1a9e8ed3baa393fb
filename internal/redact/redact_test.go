package redact

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeader(t *testing.T) {
	in := http.Header{
		"Authorization":  {"Bearer canary-one"},
		"Cookie":         {"a=canary", "b=canary"},
		"Mcp-Session-Id": {"canary"},
		"X-Api-Key":      {"canary"},
		"X-Tokenizer":    {"cl100k"},
		"X-Monkey":       {"bonobo"},
		"Keyboard":       {"qwertz"},
		"Accept":         {"application/json, text/event-stream"},
		"X-Note":         {"uses ghp_0123456789abcdefghij0123"},
		"Location":       {"https://me:canary@host/?code=canary&x=1"},
	}
	want := http.Header{
		"Authorization":  {"Bearer [redacted]"},
		"Cookie":         {"[redacted]", "[redacted]"},
		"Mcp-Session-Id": {"[redacted]"},
		"X-Api-Key":      {"[redacted]"},
		"X-Tokenizer":    {"cl100k"},
		"X-Monkey":       {"bonobo"},
		"Keyboard":       {"qwertz"},
		"Accept":         {"application/json, text/event-stream"},
		"X-Note":         {"uses [redacted]"},
		"Location":       {"https://redacted@host/?code=[redacted]&x=1"},
	}
	before := in.Clone()
	if diff := cmp.Diff(Header(in), want); diff != "" {
		t.Errorf("Header (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(in, before); diff != "" {
		t.Errorf("Header changed its argument:\n%s", diff)
	}
	if got := Header(nil); got != nil {
		t.Errorf("Header(nil) = %v, want nil", got)
	}
}

func TestURL(t *testing.T) {
	tests := []struct{ in, want string }{
		{"https://host/mcp", "https://host/mcp"},
		{"https://user:canary@host/mcp", "https://redacted@host/mcp"},
		{"https://canary@host", "https://redacted@host"},
		{"https://u:p@ss@host/a@b", "https://redacted@host/a@b"},
		{"https://host/?a=1&token=canary&b=2", "https://host/?a=1&token=[redacted]&b=2"},
		{"https://host/?api%5Fkey=canary", "https://host/?api%5Fkey=[redacted]"},
		{"https://host/?key=canary#access_token=canary&x=1",
			"https://host/?key=[redacted]#access_token=[redacted]&x=1"},
		{"http://127.0.0.1:6280/#t=canary", "http://127.0.0.1:6280/#t=[redacted]"},
		{"https://host/?token=&t=1&max_tokens=5", "https://host/?token=&t=1&max_tokens=5"},
		{"https://host/?a=%ZZ&%ZZtoken=canary", "https://host/?a=%ZZ&%ZZtoken=[redacted]"},
		{"//host:99999/%zz?password=canary", "//host:99999/%zz?password=[redacted]"},
		{"", ""},
	}
	for _, test := range tests {
		got := URL(test.in)
		if got != test.want {
			t.Errorf("URL(%q) = %q, want %q", test.in, got, test.want)
		}
		if again := URL(got); again != got {
			t.Errorf("URL(%q) = %q, want it unchanged", got, again)
		}
	}
	if _, err := url.Parse(URL("https://user:canary@host/?token=canary")); err != nil {
		t.Errorf("a redacted URL cannot be parsed: %v", err)
	}
}

package redact

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func TestTextHides(t *testing.T) {
	tests := []struct{ in, want string }{
		{"key sk-proj-abc123DEF456ghi789 used", "key [redacted] used"},
		{"sk-ant-api03-abcdefghij0123456789", "[redacted]"},
		{"ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"},
		{"github_pat_11ABCDEFG0abcdefghijkl_mnop", "[redacted]"},
		{"AKIAIOSFODNN7EXAMPLE.", "[redacted]."},
		{"KeyError: 'sk-live-abc123DEF456'", "KeyError: '[redacted]'"},
		{"missing API_KEY: Tr0ub4dor", "missing API_KEY: [redacted]"},
		{"xoxb-123456789012-abcdefGHIJ", "[redacted]"},
		{"AIzaSyA1234567890abcdefghijklmnopqrstuv", "[redacted]"},
		{"glpat-abcdefghij0123456789", "[redacted]"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl!", "[redacted]!"},
		{"Authorization: Bearer abc.def", "Authorization: [redacted]"},
		{"curl -H 'Authorization: Basic dTpw' https://h", "curl -H 'Authorization: [redacted]' https://h"},
		{"sent bearer abcdef123456 to it", "sent bearer [redacted] to it"},
		{"Cookie: a=1; b=2\nHost: x", "Cookie: [redacted]\nHost: x"},
		{"X-Api-Key: canary\r\nAccept: */*", "X-Api-Key: [redacted]\r\nAccept: */*"},
		{"password=canary&user=me", "password=[redacted]&user=me"},
		{"PASSWORD = canary next", "PASSWORD = [redacted] next"},
		{"password: canary", "password: [redacted]"},
		{`token="a b c" x`, `token="[redacted]" x`},
		{`access_token='canary'`, `access_token='[redacted]'`},
		{`{"api_key":"canary","a":1}`, `{"api_key":"[redacted]","a":1}`},
		{`{"password" : "with \"quotes\" and \\","b":"c"}`, `{"password" : "[redacted]","b":"c"}`},
		{`"{\"token\":\"canary\",\"a\":\"b\"}"`, `"{\"token\":\"[redacted]\",\"a\":\"b\"}"`},
		{`{'secret': 'canary', 'x': 'y'}`, `{'secret': '[redacted]', 'x': 'y'}`},
		{`{"password":"cut off`, `{"password":"[redacted]`},
		{`:secret => "canary"`, `:secret => "[redacted]"`},
		{"token:=\"canary\"", "token:=\"[redacted]\""},
		{"server --api-key abc123 --port 80", "server --api-key [redacted] --port 80"},
		{"server --token=canary", "server --token=[redacted]"},
		{"GET https://u:canary@h/x?sig=canary failed", "GET https://redacted@h/x?sig=[redacted] failed"},
		{"-----BEGIN RSA PRIVATE KEY-----\ncanary\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"},
		{"x -----BEGIN PRIVATE KEY-----\ncanary", "x [redacted]"},
		{"secret=YWJj==", "secret=[redacted]"},
	}
	for _, test := range tests {
		got := Text(test.in)
		if got != test.want {
			t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
		}
		if again := Text(got); again != got {
			t.Errorf("Text(%q) = %q, want it unchanged", got, again)
		}
	}
}

func TestTextKeeps(t *testing.T) {
	for _, text := range []string{
		"",
		"unexpected token: end of input",
		"KeyError: 'API_KEY'",
		"KeyError: API_KEY",
		"KeyError: 'apiKey_of_user1'",
		"KeyException: 'apiKey_of_user1'",
		"api_key: OPENAI_API_KEY is not set",
		"password: 'DB_PASSWORD' is required",
		"missing API key: OPENAI_API_KEY",
		"token: GITHUB_TOKEN is not set",
		"SyntaxError: Unexpected token } in JSON at position 4",
		"the tokenizer = cl100k; monkey=banana; keyboard: qwertz",
		`{"key":"name","value":"x"}`,
		`{"max_tokens": 100, "progressToken": "p-1", "maxTokens": 5}`,
		`{"token_endpoint":"https://as/token","token_type":"Bearer"}`,
		`{"password":{"type":"string","description":"of the user"}}`,
		`WWW-Authenticate: Bearer realm="mcp", resource_metadata="https://h/.well-known/x"`,
		"Bearer authentication is required; use the Bearer scheme",
		"Use --token to sign in",
		"token=null, secret=false",
		"disk-utilisation-is-high task-management",
		"class sk-folding-cube-wrapper",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"https://host/path?page=2#section",
		"cursor eyJwYWdlIjoyfQ==",
		"cursor eyJwYWdlIjoyfQ.eyJwYWdlIjoyfQ of two parts",
		"sk-short",
		"public_key=abc",
		"if token == other",
	} {
		if got := Text(text); got != text {
			t.Errorf("Text(%q) = %q, want it unchanged", text, got)
		}
	}
}

// Inputs that would cost the square of their length if a match or a failed one were scanned more than once.
func TestTextIsLinear(t *testing.T) {
	for name, unit := range map[string]string{
		"pairs": "a=", "secret pairs": "token=", "quotes": `"token":"`, "blocks": "-----BEGIN PRIVATE KEY-----",
		"begins": "-----BEGIN ",
		"jwt":    "eyJaaaaa.", "urls": "a://", "userinfo": "a://b@", "backslashes": `\`, "escaped": `\"token\":\`,
		"flags": "--token a", "dashes": "-",
		"bearers": "bearer a", "names": "token", "blanks": " ", "keys": "sk-", "web tokens": "-eyJ-", "colons": ":",
	} {
		text := strings.Repeat(unit, 512<<10/len(unit))
		start := cputime.Used()
		Text(text)
		if took := cputime.Used() - start; took > 5*time.Second {
			t.Errorf("%s: 512 KiB took %v, want well under 5s", name, took)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		`{"token":"x"}`, "password: x", "a://b@c?token=d#t=e", "--key 1a", "Bearer abcdef1234567",
		"\\\"secret\\\":\\\"", "-----BEGIN PRIVATE KEY-----",
		"eyJaaaaa.b.c", "Cookie: a\nb", "token:=\"", "sk-0123456789a",
	} {
		f.Add(seed, "hunter2-and-more")
	}
	f.Fuzz(func(t *testing.T, text, secret string) {
		got := Text(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("Text(%q) = %q is no valid UTF-8", text, got)
		}
		if len(got) > 4*len(text)+len(Placeholder) {
			t.Errorf("Text grew %d bytes to %d", len(text), len(got))
		}
		const canary = "ghp_0123456789abcdefghijABCDEFGHIJ"
		if got := Text(text + " " + canary + " " + text); strings.Contains(got, canary) {
			t.Errorf("the canary survived in %q", got)
		}
		secret = strings.TrimSpace(secret)
		if len(secret) < minSecret || strings.Contains(Placeholder, secret) {
			return
		}
		// What remains may spell the secret only if text without it, joined by placeholders, does.
		known := New(secret)
		if got := known.Exact(text + "\x00" + secret + "\x00" + text); strings.Contains(got, "\x00"+secret+"\x00") {
			t.Errorf("the secret %q survived in %q", secret, got)
		}
		URL(text)
	})
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat(`{"name":"get-sum","description":"Adds two numbers","inputSchema":{"type":"object"}} `, 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text)
	}
}

package redact

import "strings"

// A shape is a token format: a prefix and at least min bytes of letters, digits and extra.
type shape struct {
	prefix, extra string
	min           int
	digit         bool // without a digit it is a word, not a token
}

// tokenShapes are the token formats that can be recognized by their prefix.
var tokenShapes = []shape{
	{prefix: "sk-", extra: "_-", min: 10, digit: true}, // OpenAI, Anthropic and providers with the same format
	{prefix: "sk_live_", min: 10},                      // Stripe
	{prefix: "sk_test_", min: 10},
	{prefix: "rk_live_", min: 10},
	{prefix: "rk_test_", min: 10},
	{prefix: "ghp_", min: 16}, // GitHub
	{prefix: "gho_", min: 16},
	{prefix: "ghu_", min: 16},
	{prefix: "ghs_", min: 16},
	{prefix: "ghr_", min: 16},
	{prefix: "github_pat_", extra: "_", min: 16},
	{prefix: "glpat-", extra: "_-", min: 16}, // GitLab
	{prefix: "AKIA", min: 12, digit: true},   // AWS
	{prefix: "ASIA", min: 12, digit: true},
	{prefix: "xoxa-", extra: "-", min: 10}, // Slack
	{prefix: "xoxb-", extra: "-", min: 10},
	{prefix: "xoxc-", extra: "-", min: 10},
	{prefix: "xoxd-", extra: "-%", min: 10},
	{prefix: "xoxe-", extra: "-", min: 10},
	{prefix: "xoxe.", extra: ".-", min: 10},
	{prefix: "xoxo-", extra: "-", min: 10},
	{prefix: "xoxp-", extra: "-", min: 10},
	{prefix: "xoxr-", extra: "-", min: 10},
	{prefix: "xoxs-", extra: "-", min: 10},
	{prefix: "xapp-", extra: "-", min: 10, digit: true},
	{prefix: "AIza", extra: "_-", min: 30}, // Google
	{prefix: "ya29.", extra: "._-", min: 16},
	{prefix: "npm_", min: 30}, // npm
	{prefix: "hf_", min: 30},  // Hugging Face
}

// shapes replaces the tokens of well-known issuers, JSON Web Tokens, and credentials after an authentication scheme.
func shapes(text string) string {
	text = schemes(text)
	for _, s := range tokenShapes {
		text = replaceAt(text, s.prefix, s.measure)
	}
	return replaceAt(text, "eyJ", webToken)
}

// replaceAt replaces secrets that start with prefix at the start of a word. Text that has been measured is not examined
// again: if a part of it were a secret, the whole would be.
func replaceAt(text, prefix string, measure func(string) (n int, secret bool)) string {
	var out strings.Builder
	done := 0
	for at := 0; ; {
		step := strings.Index(text[at:], prefix)
		if step < 0 {
			return out.String() + text[done:]
		}
		start := at + step
		at = start + len(prefix)
		if start > 0 && (alphanumeric(text[start-1]) || text[start-1] == '_') {
			continue
		}
		n, secret := measure(text[start:])
		at = start + n
		if secret {
			out.WriteString(text[done:start] + Placeholder)
			done = at
		}
	}
}

func (s shape) measure(text string) (n int, secret bool) {
	n = len(s.prefix) + span(text[len(s.prefix):], s.extra)
	if s.digit && !strings.ContainsAny(text[:n], "0123456789") {
		return n, false
	}
	return n, n >= len(s.prefix)+s.min
}

// webToken measures a JSON Web Token: three parts, or five if it is encrypted. Two parts or fewer are other Base64
// data, such as a cursor.
func webToken(text string) (n int, secret bool) {
	n = span(text, "_-")
	if n < len("eyJ")+5 {
		return n, false
	}
	parts := 1
	for parts < 5 && n < len(text) && text[n] == '.' {
		n += 1 + span(text[n+1:], "_-")
		parts++
	}
	return n, parts >= 3
}

// schemes replaces the credentials after Bearer or Basic.
func schemes(text string) string {
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER ", "Basic ", "basic ", "BASIC "} {
		text = afterScheme(text, scheme)
	}
	return text
}

// afterScheme keeps prose ("Bearer authentication") and challenges (Bearer realm="…") readable: text that is neither
// long nor mixed with digits or capitals is treated as a word.
func afterScheme(text, scheme string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, scheme)
		if !found {
			return out.String() + text
		}
		out.WriteString(before + scheme)
		if n := credentials(rest); n > 0 {
			out.WriteString(Placeholder)
			rest = rest[n:]
		}
		text = rest
	}
}

func credentials(text string) int {
	n := span(text, "._~+/-")
	for n < len(text) && text[n] == '=' {
		n++
	}
	challenge := n > 0 && text[n-1] == '=' && n < len(text) && text[n] == '"'
	if n < 6 || challenge || !opaque(text[:n]) {
		return 0
	}
	return n
}

// opaque reports whether a value looks random or is too long for a word.
func opaque(value string) bool {
	if len(value) >= 16 || strings.ContainsAny(value, "0123456789") {
		return true
	}
	return value != "" && strings.ToLower(value[1:]) != value[1:] && strings.ToUpper(value) != value
}

// span counts the leading bytes of text that are letters, digits or one of extra.
func span(text, extra string) int {
	for i := range len(text) {
		if !alphanumeric(text[i]) && strings.IndexByte(extra, text[i]) < 0 {
			return i
		}
	}
	return len(text)
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

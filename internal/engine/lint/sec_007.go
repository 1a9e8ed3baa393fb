package lint

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec007 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `hard-coded credential

A string looks like an access key, a token or a private key. Everything in a definition is sent to every client and
every model provider.

Revoke it, remove it, and read it from the environment. Placeholders and documented examples are not reported.`,
	},
	Check: func(p *Pass) {
		for _, text := range p.Tool.Texts() {
			if strings.HasPrefix(text.Pointer, "/icons/") {
				continue // images
			}
			if kind := credential(text.Value); kind != "" {
				p.Report(text.Pointer, "a string looks like %s", kind)
			}
		}
	},
}

// A credentialShape is searched by its prefix first, which is cheap, and then as a whole.
type credentialShape struct {
	kind, begins string
	whole        *regexp.Regexp
}

var credentialShapes = sync.OnceValue(func() []credentialShape {
	return []credentialShape{
		{"an AWS access key", "AKIA", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
		{"a GitHub token", "gh", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,}\b`)},
		{"a GitHub token", "github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{40,}`)},
		{"an OpenAI or Anthropic key", "sk-", regexp.MustCompile(`\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}`)},
		{"a Slack token", "xox", regexp.MustCompile(`\bxox[abprs]-[0-9]{8,}-[A-Za-z0-9-]{10,}`)},
		{"a Google API key", "AIza", regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}\b`)},
		{"a Stripe key", "_live_", regexp.MustCompile(`\b[rs]k_live_[0-9A-Za-z]{24,}`)},
		{"a private key", "PRIVATE KEY-----", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE ` +
			`KEY-----\s*[A-Za-z0-9+/=]{40,}`)},
		{"a JSON Web Token", "eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,` +
			`}\.[A-Za-z0-9_-]{20,}`)},
	}
})

// credential returns the kind of credential that s looks like; empty if none.
func credential(s string) string {
	for _, shape := range credentialShapes() {
		if !strings.Contains(s, shape.begins) {
			continue
		}
		if found := shape.whole.FindString(s); found != "" && !placeholder(found) {
			return shape.kind
		}
	}
	return ""
}

// placeholder reports whether a credential is clearly fake: it is marked as such, or repeats a few characters.
func placeholder(s string) bool {
	lower := strings.ToLower(s)
	for _, sign := range []string{"example", "xxxx", "your", "test", "dummy", "sample", "1234567890", "abcdef"} {
		if strings.Contains(lower, sign) {
			return true
		}
	}
	different := map[rune]bool{}
	for _, r := range s {
		different[r] = true
	}
	return len(different) < 10
}

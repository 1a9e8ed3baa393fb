package redact

import (
	"strings"
	"sync"
	"testing"
)

func TestSecretsScrub(t *testing.T) {
	secrets := New("correct horse", `quo"te\d & <x>`, "prefix-1", "prefix-1-longer", "short", "", "  \n")
	tests := []struct{ in, want string }{
		{"the correct horse is here", "the [redacted] is here"},
		{"q=correct+horse&r=correct%20horse", "q=[redacted]&r=[redacted]"},
		{`{"a":"quo\"te\\d \u0026 \u003cx\u003e"}`, `{"a":"[redacted]"}`},
		{`{"a":"quo\"te\\d & <x>"}`, `{"a":"[redacted]"}`},
		{`quo"te\d & <x>`, "[redacted]"},
		{"prefix-1-longer prefix-1", "[redacted] [redacted]"},
		{"short stays, it hides nothing", "short stays, it hides nothing"},
		{"shapes too: ghp_0123456789abcdefghij0123", "shapes too: [redacted]"},
	}
	for _, test := range tests {
		if got := secrets.Text(test.in); got != test.want {
			t.Errorf("Text(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestSecretsZeroAndNil(t *testing.T) {
	var none *Secrets
	if got := none.Text("token=canary"); got != "token=[redacted]" {
		t.Errorf("nil Secrets: %q", got)
	}
	var zero Secrets
	if got := zero.Exact("plain"); got != "plain" {
		t.Errorf("zero Secrets: %q", got)
	}
	zero.Add("canary-value")
	if got := zero.Exact("a canary-value"); got != "a [redacted]" {
		t.Errorf("after Add: %q", got)
	}
}

func TestSecretsConcurrent(t *testing.T) {
	secrets := New()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			value := strings.Repeat(string(rune('a'+i)), 10)
			secrets.Add(value)
			if got := secrets.Exact(value); got != Placeholder {
				t.Errorf("Exact(%q) = %q", value, got)
			}
		})
	}
	group.Wait()
}

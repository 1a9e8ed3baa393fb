package view

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// Hints on the page name its own settings; what the page does not have is omitted.
func TestPageWords(t *testing.T) {
	for text, want := range map[hint.Text]string{
		"add its CA to the system trust store, or use {--insecure} for a local test": "add its CA to the system " +
			"trust store, or use the option to accept any certificate for a local test",
		"use a longer {--timeout} if the server is slow; {show messages}": "use a longer timeout if the " +
			"server is slow; open Wire to see the messages",
		"it may require another version: use {--protocol} 2025-06-18": "it may require another " +
			"version: use version 2025-06-18",
		"the token has expired; " + hint.SignIn("https://a.test"): "the token has expired; sign in",
		hint.MoreScopes("https://a.test"):                         "sign in with more scopes",
		"try again\nuse {--force} to overwrite it":                "try again",
		"try again; run: {mcptest run --list}":                    "try again",
	} {
		if got := text.In(pageWords); got != want {
			t.Errorf("%q: %q, expected %q", string(text), got, want)
		}
	}
}

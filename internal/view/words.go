package view

import "github.com/mcptest-dev/mcptest/internal/hint"

// pageTerms are the options of hints as the page names them.
var pageTerms = map[string]string{
	"client-id":     "the client ID",
	"client-secret": "the client secret",
	"client-key":    "a client key",
	"scope":         "the scopes",
	"issuer":        "the issuer",
	"callback-port": "the callback port",
	"allow-private": "the option for private addresses",
	"insecure":      "the option to accept any certificate",
	"timeout":       "timeout",
	"protocol":      "version",
	"header":        "the header",
	"env":           "the environment:",
	"cwd":           "the working directory",
}

// pageWords are the terms of the page, which has no commands.
func pageWords(m hint.Mark) (string, bool) {
	switch m.Kind {
	case hint.ShowMessages:
		return "open Wire to see the messages", true
	case hint.GetToken:
		return "sign in", true
	case hint.GetScopes:
		return "sign in with more scopes", true
	case hint.Option:
		phrase, ok := pageTerms[m.Value]
		return phrase, ok
	}
	return "", false
}

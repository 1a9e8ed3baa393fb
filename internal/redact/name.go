package redact

import (
	"slices"
	"strings"
	"unicode"
)

// SecretName reports whether a header, variable or field of this name is likely to contain a secret. Names are split
// into words, so that X-Api-Key, apiKey and APIKEY are equal, while monkey, tokenizer and keyboard stay ordinary words
// and token_endpoint, max_tokens and progressToken stay visible.
func SecretName(name string) bool {
	words := splitWords(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if harmlessTail[last] && len(words) > 1 {
		return false
	}
	for i, word := range words {
		if secretWord(word) && (i == 0 || !harmlessHead[words[i-1]]) {
			return true
		}
	}
	return secretTail[last] && len(words) > 1 || last == "auth"
}

// secretStems are the endings of a word that make it secret: token, but also authtoken.
var secretStems = []string{
	"token", "tokens", "tokenvalue", "secret", "secrets", "secretvalue", "key", "keys", "keyid", "password",
	"passwords",
	"passwd", "passphrase", "passcode", "credential", "credentials", "creds", "cookie", "cookies",
	"session", "sessions", "sessionid", "sessid", "authorization", "jwt", "bearer",
}

// ordinaryWords end like a secret word but are not secret.
var ordinaryWords = []string{
	"monkey", "monkeys", "donkey", "donkeys", "turkey", "hockey", "jockey", "whiskey", "lackey", "mickey", "hotkey",
	"hotkeys", "turnkey", "passkey", "obsession", "possession", "possessions", "nonsecret",
}

// harmlessHead are words that make the next one harmless: public key, max tokens, progress token.
var harmlessHead = set("public", "primary", "foreign", "sort", "partition", "shard", "cache", "idempotency", "socket",
	"websocket",
	"progress", "max", "min", "num", "total", "input", "output", "prompt", "completion", "cached", "reasoning", "page",
	"continuation", "object", "map", "dict", "hot", "host", "unexpected")

// harmlessTail are final words that describe a secret without being one: token endpoint, key file.
var harmlessTail = set("endpoint", "url", "uri", "type", "types", "count", "counts", "limit", "limits", "expires",
	"expiry",
	"expiration", "ttl", "timeout", "in", "at", "supported", "methods", "method", "length", "size", "budget", "name",
	"names",
	"file", "path", "dir", "store", "sock", "mode", "enabled", "required", "usage", "used", "algorithm", "alg",
	"format", "schema",
	"management", "provider", "manager", "policy", "hint", "description", "index", "error", "errors", "exception")

// secretTail are words that are secret only at the end of a longer name: DB_PASS, DB_PWD (PWD alone is the working
// directory), GITHUB_PAT, connect.sid.
var secretTail = set("pass", "pwd", "pat", "sid", "auth")

func secretWord(word string) bool {
	if slices.Contains(ordinaryWords, word) {
		return false
	}
	for _, stem := range secretStems {
		if head, found := strings.CutSuffix(word, stem); found && !harmlessHead[head] {
			return true
		}
	}
	return false
}

// splitWords splits a name at every non-letter and at case changes: "mcpSessionId" becomes mcp, session, id.
func splitWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	letters := []rune(name)
	for i, r := range letters {
		if !unicode.IsLetter(r) {
			flush()
			continue
		}
		if turns(letters, i) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// turns reports whether a new word starts at i: fooBar, or the B of FOOBar.
func turns(letters []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(letters[i]) {
		return false
	}
	return unicode.IsLower(letters[i-1]) ||
		unicode.IsUpper(letters[i-1]) && i+1 < len(letters) && unicode.IsLower(letters[i+1])
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, word := range words {
		m[word] = true
	}
	return m
}

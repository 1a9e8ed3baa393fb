package exposure

import (
	"strconv"
	"strings"
)

// poison are the phrases of each kind of instruction that has no place in the description of a tool.
var poison = []struct {
	sign    string
	phrases []string
}{
	{"secrecy", []string{"do not tell", "don't tell", "do not mention", "don't mention", "do not inform",
		"without telling", "without informing", "never reveal", "do not reveal", "keep this secret",
		"not to the user", "hide this from", "do not let the user", "don't let the user", "never mention", "never tell",
		"without mentioning", "the user must not know", "the user should not know"}},
	{"precedence", []string{"before using any other tool", "before any other tool", "before calling any other",
		"ignore previous", "ignore all previous", "ignore other instructions", "instead of any other tool",
		"always call this tool first", "must be called first", "overrides all", "disregard"}},
	{"secrets", []string{".ssh", "id_rsa", ".env file", "/etc/passwd", "mcp.json", "private key",
		"api key of the user", "the user's password", "credentials file", "access token of", ".aws/", "/credentials",
		".netrc", ".kube/config", ".git-credentials", ".gnupg", ".npmrc", ".pypirc", "id_ed25519", "/etc/shadow",
		"user's api key", "user's credentials", "environment variables of"}},
	{"disclosure", []string{"as sidenote", "in sidenote", "conversation history", "system prompt",
		"full conversation", "previous messages", "chain of thought", "your instructions"}},
}

// FindPoison lists the kinds of instructions in a text that have no place in a description. One is common in legitimate
// ones; two are not. It returns at most one sign if there cannot be two.
func FindPoison(text string) []string {
	lower := strings.ToLower(text)
	var signs []string
	for i, kind := range poison {
		if len(signs) == 0 && i == len(poison)-1 {
			break
		}
		for _, phrase := range kind.phrases {
			if strings.Contains(lower, phrase) {
				signs = append(signs, kind.sign+" ("+strconv.Quote(phrase)+")")
				break
			}
		}
	}
	return signs
}

// keyMaterial matches a private key with its content.
var keyMaterial = compile(`-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/=]{40,}`)

// FindKey returns the kind of the first credential in a description: only one that is recognized by its format and was
// not written by a person, because descriptions have examples.
func FindKey(text string) string {
	if keyMaterial().MatchString(text) {
		return "a private key"
	}
	for _, shape := range secretShapes {
		for _, found := range shape.pattern().FindAllString(text, 20) {
			if !strings.Contains(found, "://") && !placeholder(found) && random(found) {
				return shape.what
			}
		}
	}
	return ""
}

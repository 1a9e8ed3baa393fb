package exposure

import (
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
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

// poisonPatterns are what the phrases of each kind vary in.
var poisonPatterns = map[string]pattern{
	"secrecy": compile(`(?i)\b(?:do not|don['’]t|never|must not|should not|without)\s+(?:tell|mention|inform|reveal|show|notify|` +
		`alert|warn|disclos|report|explain|expos)(?:e|ing)?\b[^.\n]{0,40}\bthe (?:end[- ])?user\b|` +
		`\b(?:keep|hide|conceal)\b[^.\n]{0,40}\bfrom the (?:end[- ])?user\b|` +
		`\bno (?:need|reason) to\s+(?:tell|mention|inform|reveal|show|notify|alert|warn|disclose|report|explain|ask|bother|trouble)\b` +
		`[^.\n]{0,40}\bthe (?:end[- ])?user\b|` +
		`\bwithout the (?:end[- ])?user(?:['’]s)? (?:knowledge|knowing|noticing|seeing|consent|permission)\b|` +
		`\bthe (?:end[- ])?user (?:must|should|need|does|may)(?: ?not|n['’]t)(?: need to)? (?:know|see|notice|learn|be (?:told|informed))`),
	"precedence": compile(`(?i)\b(?:before|instead of|prior to)\s+(?:(?:using|calling|running|invoking)\s+)?` +
		`(?:any|all|every|each|the)(?: of the)?\s+other\s+tools?\b`),
	"secrets": compile(`(?i)\b(?:read|open|cat|load|fetch|copy|put|include|attach|upload|send|paste|print|get)(?:ing)?\b[^.\n]{0,60}` +
		`(?:(?:~|\$HOME|%USERPROFILE%|/home/[\w<>{}$-]+|/root|/Users/[\w<>{}$-]+)[/\\](?:[\w.-]+[/\\])*` +
		`(?:\.[\w-]+|[\w.-]*(?:token|secret|credential|passw|key)[\w.-]*)|` +
		`\bfile\b[^.\n]{0,30}\b(?:tokens?|api keys?|secrets?|passwords?|credentials?)\b)|` +
		`\b(?:copy|include|attach|upload|send|paste|add|collect|gather)\b[^.\n]{0,120}\b(?:any|all|their|the user['’]s)\s+(?:of the )?` +
		`(?:api keys?|passwords?|secrets|credentials|access tokens?)\b`),
	"disclosure": compile(`(?i)\b(?:put|include|pass|place|insert|copy|paste|append|write|add|attach|send|forward|read|take|` +
		`collect|summari[sz]e)\b[^.\n]{0,80}\b(?:user['’]s|(?:of|from) the user|(?:this|the|our|your) ` +
		`(?:whole |entire |full |current |previous )?(?:chat|conversation))\s+` +
		`(?:(?:last|latest|previous|recent|earlier|prior|first|own|other)\s+)*(?:messages?|questions?|prompts?|history|conversation|chat|so far|instructions)\b|` +
		`\b(?:put|include|pass|copy|paste|append|add|attach|send|forward|fill|give)\b[^.\n]{0,40}\b(?:whole|entire|full|complete) (?:chat|conversation|dialog(?:ue)?)\b`),
}

// maxQuoted is how much of a matched text is quoted.
const maxQuoted = 80

// sign returns what a text has of a kind of instruction; empty if it has nothing.
func sign(kind string, phrases []string, text, lower string) string {
	for _, phrase := range phrases {
		if strings.Contains(lower, phrase) {
			return kind + " (" + strconv.Quote(phrase) + ")"
		}
	}
	if found := poisonPatterns[kind]().FindString(text); found != "" {
		return kind + " (" + strconv.Quote(clip.Text(found, maxQuoted)) + ")"
	}
	return ""
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
		if found := sign(kind.sign, kind.phrases, text, lower); found != "" {
			signs = append(signs, found)
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

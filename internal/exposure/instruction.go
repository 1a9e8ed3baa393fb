package exposure

import (
	"regexp"
	"strings"
)

// instructions are phrases that try to control a model.
var instructions = []struct {
	what    string
	pattern *regexp.Regexp
}{
	{"it asks to ignore instructions", regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other|system|existing)\s+(?:instructions?|prompts?|rules|messages|context)`)},
	{"it asks for secrecy", regexp.MustCompile(`(?i)\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?)\b[^.\n]{0,40}\bthe user\b`)},
	{"it asks for the system prompt", regexp.MustCompile(`(?i)\b(?:reveal|print|output|repeat|send|include|show)\b[^.\n]{0,30}\b(?:system prompt|your instructions|conversation history|full conversation|chat history)`)},
	{"it asks to send secrets", regexp.MustCompile(`(?i)\b(?:send|post|upload|exfiltrate|forward|read|fetch|copy|include|pass)\b[^.\n]{0,60}(?:\.ssh\b|id_rsa|ssh keys?|\.env\b|mcp\.json|/etc/passwd|private keys?|credentials|api keys?|passwords?|access tokens?)`)},
	{"it imitates the host", regexp.MustCompile(`(?i)<important>|<system>|\[system\]|<\|im_start\|>|<\|system\|>|<instructions>|\[inst\]|(?:^|\n)\s*system:\s*you`)},
	{"it asks to call another tool", regexp.MustCompile(`(?i)\b(?:you must|always|now|immediately|first)\s+(?:also\s+)?(?:call|invoke|run|use|execute)\s+(?:the\s+)?[\w.-]+(?:\s+tool)\b`)},
}

// FindInstruction returns how a text tries to control a model; empty if it does not. Invisible tag characters count.
func FindInstruction(text string) string {
	for _, i := range instructions {
		if i.pattern.MatchString(text) {
			return i.what
		}
	}
	if strings.IndexFunc(text, func(r rune) bool { return r >= 0xE0020 && r <= 0xE007F }) >= 0 && !strings.Contains(text, "\U0001F3F4") {
		return "it contains invisible tag characters"
	}
	return ""
}

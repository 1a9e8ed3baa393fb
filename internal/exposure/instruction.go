package exposure

import (
	"strings"
)

// instructions are phrases that try to control a model.
var instructions = []struct {
	what    string
	pattern pattern
}{
	{"it asks to ignore instructions",
		compile(`(?i)\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other|system|existing)\s+(?:instructions?|prompts?|rules|messages|context)`)},
	{"it asks for secrecy", compile(`(?i)\b(?:do ` +
		`not|don't|never|without)\s+(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?)\b[^.\n]{0,40}\bthe user\b`)},
	{"it asks for the system prompt", compile(`(?i)\b(?:reveal|print|output|repeat|send|include|show)\b[^.\n]{0,` +
		`30}\b(?:system prompt|your instructions|conversation history|full conversation|chat history)`)},
	{"it asks to send secrets", compile(`(?i)\b` + sending + `\b` + sameValue +
		`(?:\.ssh\b|id_rsa|\.env\b|mcp\.json|/etc/passwd)|` +
		// words alone are also in titles, such as those of commits
		`\b` + sending + `\b` + sameValue + `\b(?:the user'?s|users'?|all|any|every|each|saved|stored|environment|local)\s+(?:[\w']+\s+){0,2}?` + secrets + `|` +
		`\b` + sending + `\b` + sameValue + secrets + `[^\n]{0,40}?(?:https?://|@\w|\bto (?:me|us|the (?:assistant|model|server|author|following|url|address))\b|` +
		`\b(?:in|as|into|to|with) (?:the|your|this|an?|each|every) (?:\w+ )?(?:arguments?|parameters?|response|reply|answer|result|message|note|body|call|field)\b)`)},
	{"it imitates the host",
		compile(`(?i)<important>|<system>|\[system\]|<\|im_start\|>|<\|system\|>|<instructions>|\[inst\]|(?:^|\n)\s*system:\s*you`)},
	{"it asks to call another tool", compile(`(?i)\b(?:you ` +
		`must|always|now|immediately|first)\s+(?:also\s+)?(?:call|invoke|run|use|execute)\s+(?:the\s+)?[\w.-]+(?:\s+tool)\b`)},
}

// sameValue matches up to 60 characters of a sentence that are in one value if the text is JSON: a quotation mark that ends a
// value or a name ends them.
const sameValue = `(?:[^.\n"]|"[^,:}\]]){0,60}"?`

// What a text that steals secrets asks for. A password is one at the end of a phrase, not in the title of a mail.
const (
	sending = `(?:send|post|upload|exfiltrate|forward|read|fetch|copy|include|pass)`
	secrets = `(?:ssh keys?|private keys?|credentials|api keys?|access tokens?|passwords?(?:$|[^\w\s]|\s+(?:to|and|in|into|from|of|for|with|as|or|at|` +
		`files?|hash\w*)\b))`
)

// FindInstructions returns how a text tries to control a model, and where the first such phrase starts. Invisible tag
// characters count.
func FindInstructions(text string) (kinds []string, start int) {
	start = len(text)
	for _, i := range instructions {
		if at := i.pattern().FindStringIndex(text); at != nil {
			kinds, start = append(kinds, i.what), min(start, at[0])
		}
	}
	hidden := strings.IndexFunc(text, func(r rune) bool { return r >= 0xE0020 && r <= 0xE007F })
	if hidden >= 0 && !strings.Contains(text, "\U0001F3F4") {
		kinds, start = append(kinds, "it contains invisible tag characters"), min(start, hidden)
	}
	return kinds, start
}

// directives are phrases that instruct a model. Many descriptions contain one, so they count only where they are
// new.
var directives = []struct {
	what    string
	pattern pattern
}{
	{"it controls other calls of the model", compile(`(?i)\b(?:before|after|whenever|each time|every ` +
		`time)\s+(?:you\s+)?(?:us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing))\s+(?:this|any|an|other|another|the other|all)\b|\b(?:instead of|rather than)\s+(?:any|all|the)\s+other\s+tool`)},
	{"it asks the model to always or never do something",
		compile(`(?i)\b(?:you must|must ` +
			`always|always|never)\s+(?:also\s+|first\s+)?(?:call|use|invoke|run|send|include|pass|read|forward|add|attach|append|copy|bcc|ask|report)\b`)},
	{"it asks to act without the user",
		compile(`(?i)\bwithout\s+(?:asking|confirm(?:ation|ing)|approval|telling|informing|notifying|the ` +
			`user)|\b(?:do not|don't|never|no need ` +
			`to)\s+(?:ask|confirm|warn|alert|tell|mention|notify|inform)\b|\balready\s+(?:approved|consented|confirmed|authori[sz]ed)\b`)},
	{"it asks for data of the user",
		compile(`(?i)\b(?:send|post|upload|forward|read|open|cat|fetch|copy|include|pass|attach|append|put|add|provide|paste)\b[^.\n]{0,60}(?:~/|/etc/|\.ssh|\.env\b|\.aws|secrets?\b|tokens?\b|env(?:ironment)? variables|system prompt|conversation|chat history|previous messages|contents? of (?:the |all |any )?(?:file|folder|repositor))`)},
	{"it demands precedence", compile(`(?i)\b(?:ignore|disregard|override|supersedes?)\b[^.\n]{0,` +
		`30}\b(?:instructions?|rules?|tools?|prompts?|polic(?:y|ies)|previous|above)\b|\b(?:call|use|run|invoke)\s+this\s+(?:tool\s+)?(?:first|before)\b`)},
	{"it contains markup of a host",
		compile(`(?i)</?(?:important|system|instructions?|secret|hidden|admin)>|\[/?(?:system|inst|important)\]|<!--|<\|`)},
}

// Directives lists how a text tries to control a model, with less certainty than [FindInstructions]. Compare it with the
// directives of an earlier version of the text.
func Directives(text string) []string {
	var found []string
	for _, list := range [2][]struct {
		what    string
		pattern pattern
	}{instructions, directives} {
		for _, d := range list {
			if d.pattern().MatchString(text) {
				found = append(found, d.what)
			}
		}
	}
	return found
}

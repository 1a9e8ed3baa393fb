package exposure

import (
	"strings"
)

// A Secret is a credential that appears in a text.
type Secret struct {
	What string // its kind, or its name
	Name string // what the text calls it; empty if it was recognized by its format
	Text string // the credential itself; not for messages
}

// secretShapes are credentials that are recognized by their format alone.
var secretShapes = []struct {
	what    string
	pattern pattern
}{
	{"a private key", compile(`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s*(?:\n|\\n)\s*[A-Za-z0-9+/]{4}|\s*[A-Za-z0-9+/]{40})`)},
	{"an AWS access key", compile(`\bA(?:KIA|SIA)[0-9A-Z]{16}\b`)},
	{"a GitHub token", compile(`\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{40,}`)},
	{"an API key", compile(`\bsk-[A-Za-z0-9_-]{20,}|\b[rs]k_live_[0-9A-Za-z]{16,}|\bAIza[0-9A-Za-z_-]{35}\b`)},
	{"a Slack token", compile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
	{"a JSON Web Token", compile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`)},
	{"a connection string with a password", compile(`\b[a-z][a-z0-9+]*://[^\s:/@"']+:[^\s@/"']{3,}@[\w.-]+`)},
}

// named matches a value with a secret name, as in NAME=value, "name": "value" or name: value. In unknown book "passwd":
// see below, there is no value: after a name in quotes, it is in quotes as well.
var named = compile(`(?i)\b([A-Z0-9_.-]*(?:api[_-]?key|access[_-]?key|secret|passwd|password|private[_-]?key|auth[_-]?token|access[_-]?token|bearer[_-]?token|(?:[A-Z0-9]+_)token|credentials?)[A-Z0-9_-]*)(["']\s*[:=]\s*["']|\s*[:=]\s*["']?)([^\s"',;}&]{6,})`)

// position matches the name of a place in a list or of a number of tokens, which are no secrets: next_page_token, max_tokens.
var position = compile(`(?i)(?:next|prev|previous|page|start|end|continuation|continue|sync|resume|cursor|delta|csrf|xsrf|` +
	`max|min|total|input|output|prompt|completion|count)[_-]?tokens?$`)

// mixed matches letters with digits. After a name and a colon without quotes, another value is a sentence that is about the
// name: "Invalid arguments for count_tokens: /text must be a string".
var mixed = compile(`[A-Za-z]\d|\d[A-Za-z]`)

// inAddress matches a value with a name that is secret only with a random value: token=…, as in the address of a failed
// request, and the credentials of an Authorization header.
var inAddress = compile(`(?i)(?:(?:^|[^\w.-])(token|jwt|pwd|pass|passphrase|passcode)=|[?&](key|auth|authkey|sid|appid|app_key|subscription-key)=|` +
	`\b(authorization)["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+)["']?([\w.~+/=-]{16,})`)

// FindSecret returns the first credential in a text. Placeholders do not count.
func FindSecret(text string) (Secret, bool) {
	for _, m := range named().FindAllStringSubmatchIndex(text, 20) {
		name, between, value := text[m[2]:m[3]], text[m[4]:m[5]], text[m[6]:m[7]]
		if position().MatchString(name) || strings.ContainsAny(between, `"'`) && proseStart().MatchString(text[m[6]:min(m[7]+2, len(text))]) || strings.TrimSpace(between) == ":" && !mixed().MatchString(value) {
			continue
		}
		if !placeholder(value) && !plainWord().MatchString(value) && (random(value) || !hasExampleWord(text, m[0], m[1])) {
			return Secret{"the value of " + name, name, value}, true
		}
	}
	for _, m := range inAddress().FindAllStringSubmatch(text, 20) {
		if name, value := m[1]+m[2]+m[3], m[4]; !placeholder(value) && random(value) {
			return Secret{"the value of " + name, name, value}, true
		}
	}
	for _, shape := range secretShapes {
		for _, found := range shape.pattern().FindAllString(text, 20) {
			if !placeholder(found) && !examplePassword().MatchString(found) {
				return Secret{What: shape.what, Text: found}, true
			}
		}
	}
	return Secret{}, false
}

// proseStart matches the first word of a quoted sentence, such as the title of a page: "passwd-file": "Reading the file".
var proseStart = compile(`^[\p{L}-]+ [\p{L}/]$`)

// plainWord matches a word: "password_reset: offered" is no secret.
var plainWord = compile(`^[a-z]{1,11}$|^[A-Z]?[a-z]{1,10}[.!]$`)

// examplePassword matches a connection string with a password that documentation uses.
var examplePassword = compile(`(?i)://[^\s:/@]+:(?:pass|password|passwd|pwd|secret|mysecretpassword|postgres|example|test)@`)

// placeholder reports whether a value is a placeholder for a credential.
func placeholder(value string) bool {
	lower := strings.ToLower(value)
	for _, sign := range []string{"xxxx", "****", "••••", "...", "your", "placeholder", "redacted", "changeme", "<",
		"${", "string", "required", "invalid", "missing"} {
		if strings.Contains(lower, sign) {
			return true
		}
	}
	different := map[rune]bool{}
	for _, r := range value {
		different[r] = true
	}
	return len(different) < 5 || strings.Contains(value, "EXAMPLE") // as in the keys of the documentation of AWS
}

// saysExample matches words of a sentence about a value that is only an example, and no names or domains.
var saysExample = compile(`(?i)(?:^|[\s(*_])(?:examples?|samples?|dummy|fake|placeholders?|fictional|e\.g\.|for instance)(?:$|[\s,:;)!?]|\.(?:\s|$))`)

// nearby is how far before and after a value a text may say that it is an example, in bytes.
const nearby = 60

// hasExampleWord reports whether a text says of the value in it, from start to end, that it is an example.
func hasExampleWord(text string, start, end int) bool {
	return saysExample().MatchString(text[max(0, start-nearby):start]) || saysExample().MatchString(text[end:min(end+nearby, len(text))])
}

// exampleValue matches what documentation uses for a value that looks random.
var exampleValue = compile(`(?i)example|sample|dummy|fake|demo|abcdef|123456|987654`)

// random reports whether a value was not written by a person: a long part of it has letters and digits, and few of them
// repeat.
func random(value string) bool {
	if exampleValue().MatchString(value) {
		return false
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune("_.~-", r) }) {
		letters, digits, different := 0, 0, map[rune]bool{}
		for _, r := range part {
			different[r] = true
			if '0' <= r && r <= '9' {
				digits++
			} else {
				letters++
			}
		}
		if len(part) >= 16 && letters >= 3 && digits >= 2 && len(different) >= 10 {
			return true
		}
	}
	return false
}

// variables are names that exist in nearly every environment.
var variables = compile(`\b(PATH|HOME|USER|PWD|SHELL|LANG|HOSTNAME|LOGNAME|TERM)["']?\s*[:=]\s*["']?[^\s"']`)

// Environment reports whether a text lists the environment of a process.
func Environment(text string) bool {
	seen := map[string]bool{}
	for _, m := range variables().FindAllStringSubmatch(text, 50) {
		seen[m[1]] = true
	}
	return len(seen) >= 3
}

// assignments matches a value with a name in capitals, as in NAME=value or "NAME": "value".
var assignments = compile(`\b([A-Z][A-Z0-9_]{1,60})["']?\s*[:=]\s*["']?([^\s"']+)`)

// secretNames matches names of environment variables with secrets.
var secretNames = compile(`SECRET|(?:^|_)(?:API)?KEY$|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|DSN$`)

// EnvironmentNames returns the names of the variables in a text that lists the environment of a process, and those whose
// values are secret by their names or formats; nil if it lists none.
func EnvironmentNames(text string) (all, secret []string) {
	if !Environment(text) {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, m := range assignments().FindAllStringSubmatch(text, 1000) {
		if seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		all = append(all, m[1])
		_, shaped := FindSecret(m[2])
		if shaped || secretNames().MatchString(m[1]) {
			secret = append(secret, m[1])
		}
	}
	return all, secret
}

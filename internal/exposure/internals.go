package exposure

import (
	"encoding/json"
	"strings"
)

// A Detail is an internal detail of a server that appears in a text.
type Detail struct{ What, Text string }

var details = []struct {
	what    string
	pattern pattern
}{
	{"a stack trace (Python)", compile(`Traceback \(most recent call last\)|File "[^"]+\.py", line \d+`)},
	{"a stack trace (Node)", compile(`\n\s+at [^\n]*\(?(?:file://|node:|/|[A-Z]:\\)[^\n]*:\d+:\d+\)?`)},
	{"a stack trace (Go)", compile(`goroutine \d+ \[|runtime error: |\.go:\d+ \+0x`)},
	{"a stack trace (Java)", compile(`\n\s+at [\w.$]+\([\w]+\.(?:java|kt):\d+\)`)},
	{"a stack trace (.NET)", compile(`\n\s+at [\w.<>\[\]` + "`" + `,]+\([^\n]*\)(?: in [^\n]+:line \d+)`)},
	{"a stack trace (Ruby)", compile(`[\w/.-]+\.rb:\d+:in [` + "`" + `']`)},
	{"a stack trace (PHP)", compile(`#\d+ [\w/.-]+\.php\(\d+\):`)},
	{"a stack trace (Rust)", compile(`\n\s+\d+: 0x[0-9a-f]+ - |stack backtrace:`)},
	{"a file path on the server",
		compile(`(?:^|[\s"'(=\[])(?:/(?:home|Users|root|var/(?:www|lib|task)|usr/(?:src|local)|app|srv|opt)/[\w.-]+/[\w./-]+|[A-Z]:\\(?:Users|inetpub|Program Files)\\[^\s"']+)`)},
}

// FindDetail returns the first detail in a text: a stack trace or a path.
func FindDetail(text string) (Detail, bool) {
	for _, d := range details {
		for _, at := range d.pattern().FindAllStringIndex(text, maxDetails) {
			if found := text[at[0]:at[1]]; !isExample(text[:at[0]]) && !publicPaths().MatchString(found) {
				return Detail{d.what, found}, true
			}
		}
	}
	return Detail{}, false
}

// maxDetails is how many matches of a pattern are looked at.
const maxDetails = 20

// examples matches the end of a text that is followed by an example, or by another one of a list.
var examples = compile(`(?i)(?:\be\.g\.|\bex:|\bfor example|\bfor instance|\bexamples?:|\bsuch as|\blike)[^\n]{0,80}$`)

// isExample reports whether what follows a text is an example.
func isExample(before string) bool { return examples().MatchString(before) }

// publicPaths matches where programs are installed that are the same on every machine.
var publicPaths = compile(`/opt/(?:google|homebrew|microsoft)/`)

// unserialized matches values that were converted to text by accident.
var unserialized = compile(`\[object (?:Object|Promise|Array|Map|Set)\]|<coroutine object |<(?:function|generator ` +
	`object|bound method) [\w.<>]+ at 0x|<[\w.<>]+ object at 0x[0-9a-f]+>` +
	`|\{ \[native code\] \}|Promise \{ ` +
	`<?pending|%!\w?\((?:MISSING|EXTRA|BADPREC|NOVERB|string=|int=)|\{\{\s*[\w.]+\s*\}\}\s*$|System\.Collections\.Generic\.|System\.Threading\.Tasks\.Task|#<\w+:0x[0-9a-f]+|\w+(?:\.\w+)+@[0-9a-f]{6,8}\b|\(\*\w+\.\w+\)\(0x[0-9a-f]+\)` +
	`|\bInvalid Date\b|(?m:: (?:undefined|NaN)\.?$)|[a-z)] is NaN\b`)

// pythonValue matches a text that begins as Python prints a dictionary, which JSON never does.
var pythonValue = compile(`^\[?\{'[\w -]+': [^\n]{0,60}`)

// FindUnserialized returns the part of a text that is a value which was not serialized, such as [object Object], or
// which was serialized twice.
func FindUnserialized(text string) string {
	text = strings.TrimSpace(text)
	if found := unserialized().FindString(text); found != "" {
		return strings.Trim(found, ": .")
	}
	var inner string
	if strings.HasPrefix(text, `"{`) && json.Unmarshal([]byte(text), &inner) == nil && json.Valid([]byte(inner)) {
		return start(text, 60)
	}
	return pythonValue().FindString(text)
}

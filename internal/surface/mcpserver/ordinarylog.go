package mcpserver

import (
	"regexp"
	"strings"
	"sync"
)

// ordinaryLog matches the start of a log line of an informational level, as frameworks write one for each request.
var ordinaryLog = sync.OnceValue(func() *regexp.Regexp {
	const level = `(?:INFO|DEBUG|TRACE|NOTICE)\b`
	return regexp.MustCompile(`^(?:\x1b\[[\d;]*m)*(?:` +
		`[\[(]?[\d/:.,TZ+ -]*[\])]?[ |-]*(?:[\w.:-]+ - )?\[?` + level + `|` + // Python, Rich, uvicorn, log/slog
		`(?:info|debug|trace):|` +
		`time=\S+ level=` + level + `|` +
		`\{.*"level": ?"(?i:info|debug|trace)")`)
})

// withoutOrdinaryLogs removes the lines that a server logs although all is well, with their continuation lines.
func withoutOrdinaryLogs(text string) string {
	var kept []string
	ordinary := false
	for line := range strings.Lines(text) {
		if !ordinary || !strings.HasPrefix(line, "    ") { // a continuation is indented
			ordinary = ordinaryLog().MatchString(line)
		}
		if !ordinary {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

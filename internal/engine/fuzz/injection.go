package fuzz

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

var injectionProperty = &Property{finding.Rule{ID: "FUZZ-020", Severity: finding.Critical,
	Doc: `argument is executed or read as a path

The response contains what only the machine of the server can know: the sum of two numbers that were sent inside a shell
command, an SQL query, an expression or a template, or the file /etc/passwd, whose path was sent. Anyone who can call the tool, including a
model that reads a hostile page, runs code or reads files on that machine. Pass arguments as data: no shell, no eval, no
template, query parameters for SQL, and paths only after they are resolved and compared with the allowed directory.`}, staysInData}

// sum is the result of the expressions that are sent. It appears in none of them.
const sum = "83990"

// accounts is how the file of accounts begins on Unix systems.
var accounts = lazyregexp.New(`(?m)^root:[^:\n]*:0:0:`)

// staysInData holds unless a response shows that an argument was executed, or read as a path.
func staysInData(s *observation) *violation {
	if s.Exchange == nil || s.Exchange.Reply == nil {
		return nil
	}
	sent := string(s.Case.Arguments)
	isExpression := strings.Contains(sent, "41990") && !strings.Contains(sent, sum)
	isPath := strings.Contains(sent, "passwd")
	if !isExpression && !isPath {
		return nil
	}
	said := errorText(s.Exchange.Reply) + string(s.parts().data)
	switch {
	case isExpression && strings.Contains(said, sum):
		return &violation{cause: "executed", message: "an argument was executed: the response has the sum of its " +
			"numbers, " + sum}
	case isPath && accounts().MatchString(said):
		return &violation{cause: "path", message: "an argument was read as a path: the response has the content of " +
			"/etc/passwd"}
	}
	return nil
}

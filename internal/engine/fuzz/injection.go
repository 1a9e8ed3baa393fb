package fuzz

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var injectionProperty = &Property{finding.Rule{ID: "FUZZ-020", Severity: finding.Critical,
	Doc: `argument is executed or read as a path

The response contains what only the machine of the server can know: the sum of two numbers that were sent inside a shell
command, an SQL query, an expression or a template, whether an SQL condition in a text is true, or the file /etc/passwd,
whose path was sent. Anyone who can call the tool, including a model that reads a hostile page, runs code or reads files on
that machine. Pass arguments as data: no shell, no eval, no template, query parameters for SQL, and paths only after they
are decoded, resolved and compared with the allowed directory. The syntax error of a database after a quotation mark in an
argument is an error. So is that of another interpreter, such as JavaScript, Python, a shell or XPath, if the same text without
the quotation mark or bracket causes none, and neither does one with it doubled, escaped or closed; it is critical if a condition
in the text is evaluated. Tools that say that they take SQL, code, queries, expressions, patterns, filters or templates are not
reported for it. Tools that say that they calculate may return the sum; they are reported if they also execute a function of
Python or JavaScript in an expression. Tools that say that they read files by absolute paths, and name no allowed directory,
are not reported for a file.`}, staysInData}

// sum is the result of the expressions that are sent. It appears in none of them.
const sum = "83990"

// accounts is the first line of the file of accounts on Unix systems, at the start of a line or of a string in JSON. In the
// middle of a sentence it is an example.
var accounts = lazyregexp.New(`(?m)(?:^|"|\\n)root:[^:\s"]{0,200}:0:0:`)

// code matches the expressions that only an interpreter of a programming language can evaluate to the same number.
var code = lazyregexp.New(`len\('x'\*8399\)\*10|'x'\.repeat\(8399\)\.length\*10`)

// staysInData holds unless a response shows that an argument was executed, or read as a path.
func staysInData(s *observation) *violation {
	if s.Exchange == nil || s.Exchange.Reply == nil {
		return nil
	}
	if b := s.breaksSQL(); b != nil {
		return b
	}
	sent := string(s.Case.Arguments)
	isExpression := !strings.Contains(sent, sum) && (strings.Contains(sent, "41990") && !s.calculates || code().MatchString(sent))
	isPath := strings.Contains(sent, "passwd") && !s.anyFile
	if !isExpression && !isPath {
		return nil
	}
	said := errorText(s.Exchange.Reply) + string(s.parts().data)
	switch {
	case isExpression && strings.Contains(said, sum) && s.calculates:
		return &violation{cause: "executed", message: "an argument was executed: the response has the result of the code in it, " + sum}
	case isExpression && strings.Contains(said, sum):
		return &violation{cause: "executed", message: "an argument was executed: the response has the sum of its " +
			"numbers, " + sum}
	case isPath && accounts().MatchString(said):
		return &violation{cause: "path", message: "an argument was read as a path: the response has the content of " +
			"/etc/passwd"}
	}
	return nil
}

// breaksSQL is the violation of a quotation mark in an argument that made a database report a syntax error.
func (s *observation) breaksSQL() *violation {
	if !s.Case.MayBeValid() || s.takesSQL || accepted(s) || !strings.ContainsAny(unquoted(s.Case.Arguments), `'"`) {
		return nil
	}
	said := errorText(s.Exchange.Reply)
	found := exposure.FindSQLError(said)
	if other, _ := exposure.FindSyntaxError(said); found == "" || s.sent(found) || other.Language == "shell" {
		return nil // a shell has similar words
	}
	return &violation{cause: "statement", severity: finding.Error,
		message: "an argument is part of an SQL statement: a quotation mark in it causes the error of the database, " +
			clip.Sized(found, maxDisplayed)}
}

// maxSearched is the maximum number of strings of a list that are searched.
const maxSearched = 5

// unquoted is the text of all strings in the arguments of a call, without names.
func unquoted(arguments json.RawMessage) string {
	var all strings.Builder
	members, _ := schema.Members(arguments)
	for _, m := range members {
		switch schema.Kind(m.Value) {
		case '"':
			all.WriteString(schema.Plain(m.Value))
		case '{':
			all.WriteString(unquoted(m.Value))
		case '[':
			items, _ := schema.Elements(m.Value)
			for _, item := range items[:min(len(items), maxSearched)] {
				if schema.Kind(item) == '"' {
					all.WriteString(schema.Plain(item))
				}
			}
		}
	}
	return all.String()
}

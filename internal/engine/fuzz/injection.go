package fuzz

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

var injectionProperty = &Property{finding.Rule{ID: "FUZZ-020", Severity: finding.Critical,
	Doc: `argument is executed or read as a path

The response contains what only an interpreter can know: the value of a shell command, an SQL query, an expression or a
template that was sent and that needs more than arithmetic, such as a method of Python or JavaScript, or an attribute; whether an SQL condition
in a text is true; or the file /etc/passwd, whose path was sent. Anyone who can call the tool, including a model that reads a
hostile page, runs code or reads files on that machine. Pass arguments as data: no shell, no eval, no template, query
parameters for SQL, and paths only after they are decoded, resolved and compared with the allowed directory. The syntax error
of a database after a quotation mark in an argument is an error. So is that of another interpreter, such as JavaScript, Python,
a shell or XPath, if the same text without the quotation mark or bracket causes none, and neither does one with it doubled,
escaped or closed; it is critical if a condition in the text is evaluated. That of a full-text search is a warning. Tools that say that
they take SQL, code, queries, expressions, patterns, filters or templates are not reported for it. A tool may calculate: a sum of
numbers is no finding.
Tools that say that they read files by absolute paths, and name no allowed directory, are not reported for a file.`}, staysInData}

// accounts is the first line of the file of accounts on Unix systems, at the start of a line or of a string in JSON. In the
// middle of a sentence it is an example.
var accounts = lazyregexp.New(`(?m)(?:^|"|\\n)root:[^:\s"]{0,200}:0:0:(?i:root|system administrator|super-?user|administrator|charlie &)?:/[^:\s"]*:/`)

// staysInData holds unless a response shows that an argument was executed, or read as a path.
func staysInData(s *observation) *violation {
	if s.Exchange == nil || s.Exchange.Reply == nil {
		return nil
	}
	if b := s.breaksSQL(); b != nil {
		return b
	}
	sent := string(s.Case.Arguments)
	code := cases.Proof(sent)
	isCode := code != "" && !(code == "SQL" && s.takesSQL)
	isPath := strings.Contains(sent, "passwd") && !s.anyFile
	isTemplate := strings.Contains(sent, cases.ReadsAttribute)
	if !isCode && !isPath && !isTemplate {
		return nil
	}
	said := s.errorText() + string(s.parts().data)
	switch {
	case isTemplate && accepted(s) && showsClass(s):
		return &violation{cause: template, message: "an argument is a template that reads attributes of objects: the response has " +
			"the class of one in it"}
	case isCode && strings.Contains(said, cases.Proven):
		return &violation{cause: "executed", message: "an argument was executed: the response has the value of the " + code +
			" in it, " + cases.Proven}
	case isPath && accounts().MatchString(said):
		return &violation{cause: "path", message: "an argument was read as a path: the response has the content of " +
			"/etc/passwd"}
	}
	return nil
}

// template is the cause of the violation of an argument that is used as a template.
const template = "template"

func showsClass(s *observation) bool {
	return strings.Contains(s.errorText()+string(s.parts().data), cases.ShownClass)
}

// breaksSQL is the violation of a quotation mark in an argument that made a database report a syntax error.
func (s *observation) breaksSQL() *violation {
	if !s.Case.MayBeValid() || s.takesSQL || accepted(s) || !strings.ContainsAny(cases.Unquoted(s.Case.Arguments), `'"`) {
		return nil
	}
	said := s.errorText()
	found := exposure.FindSQLError(said)
	if query := exposure.FindFullTextError(said); query != "" {
		if s.language || s.sent(query) {
			return nil // the error is about the query
		}
		return &violation{cause: "full-text", severity: finding.Warning,
			message: "an argument is a full-text query: a text with a quotation mark fails with the error of the search, " +
				clip.Sized(query, maxDisplayed)}
	}
	if other, _ := exposure.FindSyntaxError(said); found == "" || s.sent(found) || other.Language == "shell" {
		return nil // a shell has similar words
	}
	return &violation{cause: "statement", severity: finding.Error,
		message: "an argument is part of an SQL statement: a quotation mark in it causes the error of the database, " +
			clip.Sized(found, maxDisplayed)}
}

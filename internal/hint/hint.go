// Package hint holds what a user can do about an error, in a form that each surface words in its own terms.
package hint

import (
	"regexp"
	"strings"
)

// A Text is one or more clauses, separated by "; " or a newline. It marks what each surface words in its own way:
//
//	{--timeout}               an option
//	{mcptest tools list -v}   a command with options
//	{show messages}           an action; SignIn and MoreScopes return others
type Text string

// A Kind is what a mark stands for.
type Kind string

// The kinds of marks.
const (
	Option       Kind = "--"              // the value is its name
	Command      Kind = "mcptest "        // the value is the command without the program
	ShowMessages Kind = "show messages"   // shows the messages between client and server
	GetToken     Kind = "get token for "  // the value is the URL of the server
	GetScopes    Kind = "get scopes for " // the value is the URL of the server
)

var kinds = []Kind{Option, Command, ShowMessages, GetToken, GetScopes}

// A Mark is a marked part of a hint.
type Mark struct {
	Kind  Kind
	Value string
}

var marked = regexp.MustCompile(`\{(--[a-z][a-z0-9-]*|mcptest [^{}]+|show messages|get token for [^{}]+|get scopes ` +
	`for [^{}]+)\}`)

// SignIn returns the action that gets a token for a server.
func SignIn(server string) Text { return action(GetToken, server) }

// MoreScopes returns the action that gets a token with more scopes for a server.
func MoreScopes(server string) Text { return action(GetScopes, server) }

func action(kind Kind, server string) Text {
	server = strings.ReplaceAll(strings.ReplaceAll(server, "{", "%7B"), "}", "%7D")
	return Text("{" + string(kind) + server + "}")
}

// Words are the terms of a surface: the phrase for a mark; ok is false if the surface has nothing of the kind.
type Words func(m Mark) (phrase string, ok bool)

// In returns the hint in the terms of a surface. A clause with a mark for which the surface has no phrase is omitted.
func (t Text) In(words Words) string {
	var lines []string
	for line := range strings.SplitSeq(string(t), "\n") {
		var clauses []string
		for clause := range strings.SplitSeq(line, "; ") {
			if phrase, ok := inWords(clause, words); ok {
				clauses = append(clauses, phrase)
			}
		}
		if len(clauses) > 0 {
			lines = append(lines, strings.Join(clauses, "; "))
		}
	}
	return strings.Join(lines, "\n")
}

func inWords(clause string, words Words) (string, bool) {
	all := true
	phrase := marked.ReplaceAllStringFunc(clause, func(braced string) string {
		phrase, ok := words(parse(strings.Trim(braced, "{}")))
		all = all && ok
		return phrase
	})
	return phrase, all
}

func parse(mark string) Mark {
	for _, kind := range kinds {
		if value, ok := strings.CutPrefix(mark, string(kind)); ok {
			return Mark{kind, value}
		}
	}
	panic("unknown mark " + mark) // marked has a pattern for each kind
}

// String returns the hint in the terms of the command line.
func (t Text) String() string { return t.In(CommandLine) }

// MarshalText encodes the hint in the terms of the command line: reports are results of commands.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// CommandLine are the terms of the command line.
func CommandLine(m Mark) (string, bool) {
	switch m.Kind {
	case ShowMessages:
		return "use --trace to see the messages", true
	case GetToken:
		return "run: mcptest auth " + m.Value, true
	case GetScopes:
		return "run: mcptest auth " + m.Value + " --scope …", true
	}
	return string(m.Kind) + m.Value, true
}

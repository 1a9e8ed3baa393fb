package planted

import (
	"encoding/json"
	"fmt"
	"strings"
)

// endsString reports whether a text ends the string of code that it is pasted into: with its quotation mark, or with a backslash
// before the one that follows.
func endsString(text string, mark byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i == len(text) {
				return true
			}
		case mark:
			return true
		}
	}
	return false
}

// evaluated is the value of the condition of a text, if the rest of it is code that is correct inside the call of a function.
func evaluated(text string) (value, ok bool) {
	var x, y int
	var compares rune
	_, code, _ := strings.Cut(text, "') || ")
	if n, _ := fmt.Sscanf(code, "%d%c%d || ('1'=='", &x, &compares, &y); n != 3 || !strings.HasSuffix(code, " || ('1'=='") {
		return false, false
	}
	return (x < y) == (compares == '<'), true
}

// breaksCode fails if a text ends the string of code that it is pasted into.
func breaksCode(argument string, mark byte, failure string) func(*server, json.RawMessage) string {
	return when(func(a json.RawMessage) bool { return endsString(text(a, argument), mark) },
		func(s *server) string { return s.failed(failure) })
}

// pasted lists servers that paste an argument into code.
func pasted() []Creature {
	return []Creature{
		{Name: "pastes into JavaScript", input: free, Rule: "FUZZ-020", Smallest: `{"name":"'"}`,
			work: func(s *server, a json.RawMessage) string {
				name := text(a, "name")
				if value, ok := evaluated(name); ok && value {
					return said("Bolt, Hammer")
				} else if !ok && endsString(name, '\'') {
					return s.failed("SyntaxError: missing ) after argument list")
				}
				return said("no item has this name")
			}},
		{Name: "pastes into Python", input: free, Rule: "FUZZ-020", Smallest: `{"name":"\""}`,
			work: breaksCode("name", '"', "unterminated string literal (detected at line 1) (<string>, line 1)")},
		{Name: "pastes into XPath", input: free, Rule: "FUZZ-020", Smallest: `{"name":"\""}`,
			work: when(func(a json.RawMessage) bool { return strings.Count(text(a, "name"), `"`)%2 == 1 },
				func(*server) string { return said("Error: XPath error : Unfinished literal") })},
		{Name: "pastes into a shell command", input: free, Rule: "FUZZ-020", Smallest: `{"name":"'"}`,
			work: when(func(a json.RawMessage) bool { return strings.Count(text(a, "name"), "'")%2 == 1 },
				func(s *server) string { return s.failed("/bin/sh: 1: Syntax error: Unterminated quoted string") })},
		{Name: "pastes into a full-text query", input: free, Rule: "FUZZ-020", Smallest: `{"name":"\""}`,
			work: when(func(a json.RawMessage) bool { return strings.Count(text(a, "name"), `"`)%2 == 1 },
				func(s *server) string { return s.failed(`fts5: syntax error near """`) })},
	}
}

// readersOfCode lists servers whose syntax errors are about a wrong value.
func readersOfCode() []Creature {
	const unclosed = "unexpected EOF while looking for matching `''"
	return []Creature{
		{Name: "takes an expression", input: object(`"expression":{"type":"string"}`, `"expression"`),
			work: breaksCode("expression", '\'', unclosed)},
		{Name: "describes a query language",
			input: object(`"query":{"type":"string","description":"A query in GraphQL"}`, `"query"`),
			work:  breaksCode("query", '"', "Syntax Error: Unterminated string.")},
		{Name: "describes the operators of a search",
			input: object(`"query":{"type":"string","description":"Words, with AND, OR, NOT and \"phrases\" as operators"}`, `"query"`),
			work:  breaksCode("query", '"', `fts5: syntax error near """`)},
		{Name: "has broken code", input: free, work: func(s *server, _ json.RawMessage) string { return s.failed(unclosed) }},
		{Name: "rejects quotation marks", input: free, work: breaksCode("name", '\'', "the name must not contain an apostrophe")},
		{Name: "searches answers about code", input: free,
			work: when(func(a json.RawMessage) bool { return strings.Contains(text(a, "name"), "'") },
				func(*server) string { return said("What does \"missing ) after argument list\" mean?") })},
	}
}

package config

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

var (
	tomlCommand = lazyregexp.New(`(?m)^[ \t]*command[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')`)
	tomlArgs    = lazyregexp.New(`(?m)^[ \t]*args[ \t]*=[ \t]*\[`)
)

// tomlEntry finds the section of a server.
func tomlEntry(source []byte, name string) (*commandEntry, error) {
	at, found := tomlSection(source, name)
	if !found {
		return nil, fmt.Errorf("no section [mcp_servers.%s]", name)
	}
	section := source[at.from:at.to]
	command := tomlCommand().FindSubmatchIndex(section)
	if command == nil {
		return nil, fmt.Errorf("server %q has no command", name)
	}
	newline := "\n"
	if bytes.Contains(source, []byte("\r\n")) {
		newline = "\r\n"
	}
	e := &commandEntry{source: source, plain: source, at: at, line: newline, pair: "args = ",
		command: span{at.from + command[2], at.from + command[3]}}
	if args := tomlArgs().FindIndex(section); args != nil {
		end := tomlListEnd(section[args[1]:])
		if end < 0 {
			return nil, fmt.Errorf("the args of server %q are not a list", name)
		}
		e.args = span{at.from + args[1] - 1, at.from + args[1] + end + 1}
	}
	return e, nil
}

// tomlSection returns the lines from the header of a server up to the next header.
func tomlSection(source []byte, name string) (at span, found bool) {
	offset := 0
	for line := range bytes.Lines(source) {
		text, _, _ := strings.Cut(string(line), "#")
		text = strings.TrimSpace(text)
		switch {
		case text == "[mcp_servers."+name+"]" || text == "[mcp_servers."+quoteKey(name)+"]":
			at, found = span{offset, len(source)}, true
		case found && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && line[0] == '[':
			at.to = offset
			return at, true
		}
		offset += len(line)
	}
	return at, found
}

// tomlListEnd returns the offset of the bracket that closes a list of strings; -1 if there is none.
func tomlListEnd(text []byte) int {
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == ']':
			return i
		}
	}
	return -1
}

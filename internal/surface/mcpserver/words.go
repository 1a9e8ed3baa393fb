package mcpserver

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// commandTools are the tools that do what a command does.
var commandTools = map[string]string{"tools list": "list_tools", "schema suite": "suite_guide",
	"init TARGET": "scaffold_suite", "rules": "explain"}

// toolWords are the terms of an assistant: options are arguments of tools, and the user runs the commands.
func toolWords(m hint.Mark) (string, bool) {
	switch m.Kind {
	case hint.ShowMessages:
		return "use get_transcript to see the messages", true
	case hint.GetToken, hint.GetScopes:
		return "the user has to provide credentials with mcptest serve --header-env VAR@ORIGIN", true
	case hint.Command:
		return cmp.Or(commandTools[m.Value], string(m.Kind)+m.Value), true
	case hint.Option:
		return argumentFor(m.Value)
	}
	return "", false
}

// unopenedWords are toolWords if there is no connection, and so no transcript.
func unopenedWords(m hint.Mark) (string, bool) {
	if m.Kind == hint.ShowMessages {
		return "", false
	}
	return toolWords(m)
}

// argumentFor returns the argument for an option, if a tool has one.
func argumentFor(option string) (string, bool) {
	name := strings.ReplaceAll(option, "-", "_")
	for _, t := range tools() {
		for _, known := range []string{name, name + "_ms"} {
			if _, ok := schema.Get(json.RawMessage(t.input), "/properties/"+known); ok {
				return known, true
			}
		}
	}
	return "", false
}

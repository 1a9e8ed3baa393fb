package safety

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Prompt returns why a prompt must not be requested automatically; empty if it may be. Prompts have no hints, and most of
// them only fill in a text: those whose name or description says that they execute, destroy or send something are treated
// as tools without hints. Verbs such as "write" do not count: they are what the prompt asks the model to do.
func (p Permit) Prompt(prompt json.RawMessage) string {
	why := effect(prompt)
	if why == "" || p.Of(prompt).Calls > 0 {
		return ""
	}
	return why
}

// effect returns what in the name or the description of a prompt says that a request of it has an effect.
func effect(prompt json.RawMessage) string {
	name := words(text(prompt, "/name"))
	verb := firstVerb(name, destroys)
	if !slices.ContainsFunc(name, func(word string) bool { return slices.Contains(reads, word) }) {
		for i, word := range name {
			if slices.Contains(executes, word) || word == "run" && i == 0 {
				verb = word
				break
			}
		}
	}
	if verb != "" {
		return fmt.Sprintf("the name contains %q", verb)
	}
	description := text(prompt, "/description")
	if said := executing().FindString(description); said != "" {
		return fmt.Sprintf("the description contains %q", said)
	}
	if verb := sentenceVerb(description); verb != "" {
		return fmt.Sprintf("the description contains %q", verb)
	}
	return ""
}

// executes are words in the names of prompts that execute what they get.
var executes = []string{"execute", "exec", "eval", "spawn", "shell", "bash", "powershell", "subprocess", "sudo"}

// executing matches what a description says about executing something.
var executing = lazyregexp.New(`(?i)\b(?:runs?|running|executes?|executing|spawns?|evaluates?)(?: [\w'-]+){0,4}? ` +
	`(?:shell|commands?|scripts?|programs?|process(?:es)?|binary|code|sql|quer(?:y|ies)|statements?)\b`)

package safety

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// Contradiction returns what in the first sentence of the description of a tool contradicts its readOnlyHint: true; empty
// if nothing does, or if it has no such hint. A name alone contradicts nothing: it may be that of a preview, or of a
// function of a text.
func Contradiction(tool json.RawMessage) string {
	name, description := words(text(tool, "/name")), text(tool, "/description")
	all, at := destructive(description)
	if !hint(tool, "readOnlyHint") || at < 0 || previews(name) || denies(description) {
		return ""
	}
	verb := infinitive(all[at])
	if shortens(tool, verb) {
		return ""
	}
	if all[at] == verb && slices.Contains(verbsOrNouns, verb) &&
		(at+1 == len(all) || !slices.Contains(determiners, all[at+1])) {
		return "" // "Transfer times between two stations"
	}
	return fmt.Sprintf("the description contains %q", all[at])
}

// determiners come before the object of a verb.
var determiners = []string{"a", "an", "the", "this", "that", "your", "one", "all", "any", "every", "each", "some", "its", "their"}

// Doubt returns what in the name or at the start of the description of a tool with readOnlyHint: true indicates that it
// writes, although it may be read-only; empty if nothing does, or if the description says that it only reads.
func Doubt(tool json.RawMessage) string {
	description := text(tool, "/description")
	if !hint(tool, "readOnlyHint") || Contradiction(tool) != "" || denies(description) || startsReading(description) {
		return ""
	}
	return suspicion(tool)
}

// suspicion returns what in the name or the description of a tool indicates that it may write. It is more careful than what is
// reported: such a tool is not called.
func suspicion(tool json.RawMessage) string {
	name, description := words(text(tool, "/name")), text(tool, "/description")
	for _, verbs := range [][]string{destroys, writes} {
		if verb := firstVerb(name, verbs); verb != "" && !shortens(tool, verb) {
			return fmt.Sprintf("the name contains %q", verb)
		}
	}
	if verb := sentenceVerb(description); verb != "" && !shortens(tool, infinitive(verb)) {
		return fmt.Sprintf("the description contains %q", verb)
	}
	if slices.ContainsFunc(name, func(word string) bool { return slices.Contains(reads, word) }) {
		return ""
	}
	first := strings.FieldsFunc(description, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(first) == 0 {
		return ""
	}
	verb := base(strings.ToLower(first[0]))
	if slices.Contains(writes, verb) && !rewrites(verb, first[1:min(len(first), 4)]) && !convertsArgument(tool, verb) {
		return fmt.Sprintf("the description starts with %q", first[0])
	}
	return ""
}

// previews reports whether a name says that the tool shows what would happen.
func previews(name []string) bool {
	return slices.ContainsFunc(name, func(word string) bool {
		return slices.Contains([]string{"preview", "dry", "dryrun", "simulate", "simulation", "simulated"}, word)
	})
}

// denials match what is said about a tool that has no effect.
var denials = lazyregexp.New(`(?i)\b(?:delet|remov|send|sent|writ|chang|modif|execut|run|stor|sav|updat|do|affect|touch|publish|pay|cancel)\w* nothing\b|` +
	`\bnothing (?:is|are|will be|would be|gets) |\bno (?:files?|data|messages?|records?|changes?|rows?) (?:is|are|will be) |` +
	`\bdry[- ]?runs?\b|\bpreviews?\b|\bsimulat\w+\b|\bwould (?:be )?[a-z]+|\bwithout (?:actually )?[a-z]+ing (?:it|them|anything|any)\b|` +
	`\b(?:does not|doesn't|never|will not|won't) (?:actually )?(?:delete|remove|send|change|modify|execute|run|write|save|store|update|` +
	`publish|pay|touch|affect|place)\b`)

// denies reports whether a description says that the tool has no effect: it shows what would be deleted, or executes nothing.
func denies(description string) bool { return denials().MatchString(description) }

// startsReading reports whether a description starts with what a read-only tool does.
func startsReading(description string) bool {
	all := firstSentence(description)
	if len(all) == 0 {
		return false
	}
	verb := strings.TrimSuffix(all[0], "s")
	return slices.Contains(reads, verb) || slices.Contains(returns, verb)
}

// returns are further verbs at the start of the descriptions of tools that return something.
var returns = []string{"return", "give", "say", "tell", "report", "print", "display", "cut", "split", "quote"}

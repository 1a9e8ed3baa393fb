package safety

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// rewritesArgument reports whether words say that something is removed from an argument: "remove duplicates", "removes what is
// no letter from a text".
func rewritesArgument(all []string) bool {
	verb := infinitive(all[0])
	if rewritten[verb] == nil {
		return false
	}
	for i := 1; i+2 < len(all); i++ {
		if all[i] == "from" && all[i+1] == "a" && slices.Contains([]string{"text", "string", "sentence"}, all[i+2]) {
			return true
		}
	}
	return rewrites(verb, all[1:min(len(all), 4)])
}

// convertsArgument reports whether the first sentence of a description says that a verb applies to a text, number or date,
// and the arguments can only be that value: "Replace e-mail addresses in a text by [e-mail]".
func convertsArgument(tool json.RawMessage, verb string) bool {
	all := firstSentence(text(tool, "/description"))
	if len(all) < 2 || !takesValues(tool) || slices.ContainsFunc(all[1:], func(word string) bool {
		return slices.Contains(stored, word) || slices.Contains(writes, base(word)) || infinitive(word) != ""
	}) {
		return false
	}
	contains := func(words []string, list ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
	}
	switch verb {
	case "write": // a number as words, each word with a capital, a date by a pattern, an amount the way a locale does
		return contains(all[1:min(len(all), 4)], append(values, "amount", "price", "duration")...) &&
			(contains(all, "as", "with", "by") || contains(all[2:], "way")) &&
			!contains(all, "to", "into", "on", "onto")
	case "replace", "insert", "append":
		for i := 2; i+1 < len(all); i++ {
			if slices.Contains([]string{"in", "of", "into", "to"}, all[i-1]) &&
				slices.Contains([]string{"a", "the", "each", "every", "this", "given"}, all[i]) &&
				(slices.Contains(values, all[i+1]) || all[i+1] == "template" && takesArgument(tool, "template")) && (i+2 == len(all) || contains(all[i+2:i+3], "by", "with", "as", "and", "using")) {
				return true
			}
		}
	}
	return false
}

// values are nouns for a value that a tool gets as an argument.
var values = []string{"text", "string", "sentence", "word", "number", "date", "time", "phrase", "paragraph", "expression"}

// stored are nouns for what keeps a value after the call.
var stored = []string{
	"file", "files", "disk", "database", "record", "records", "note", "notes", "document", "documents", "table", "row", "rows",
	"column", "cell", "cells", "sheet", "spreadsheet", "folder", "directory", "page", "pages", "entry", "entries", "config",
	"configuration", "setting", "settings", "clipboard", "memory", "log", "logs", "store", "storage", "repository", "buffer",
	"registry", "channel", "message", "messages", "comment", "comments", "field", "fields", "calendar", "device", "register",
	"port", "editor", "project", "issue", "task", "event", "user", "account", "item", "items",
}

// takesValues reports whether a tool has arguments, and none that names something stored, such as an ID or a path.
func takesValues(tool json.RawMessage) bool {
	raw, _ := schema.Get(tool, "/inputSchema/properties")
	properties, _ := schema.Members(raw)
	return len(properties) > 0 && !slices.ContainsFunc(properties, func(m schema.Member) bool {
		return slices.ContainsFunc(words(m.Name), func(word string) bool {
			return slices.Contains(stored, word) || slices.Contains([]string{"id", "ids", "path", "uri", "url", "key", "slug",
				"filename"}, word)
		})
	})
}

// takesArgument reports whether a tool has an argument with one of these names.
func takesArgument(tool json.RawMessage, names ...string) bool {
	raw, _ := schema.Get(tool, "/inputSchema/properties")
	properties, _ := schema.Members(raw)
	return slices.ContainsFunc(properties, func(m schema.Member) bool { return slices.Contains(names, m.Name) })
}

// shortens reports whether a tool cuts a text that it gets as an argument: "Truncate a text to a number of characters".
func shortens(tool json.RawMessage, verb string) bool {
	all := firstSentence(text(tool, "/description"))
	among := func(list []string) bool {
		return slices.ContainsFunc(all, func(word string) bool { return slices.Contains(list, word) })
	}
	return verb == "truncate" && among([]string{"text", "string", "sentence", "phrase", "paragraph"}) && !among(stored) &&
		!slices.ContainsFunc(all, func(word string) bool { return infinitive(word) != "" && infinitive(word) != verb }) &&
		takesValues(tool) && takesArgument(tool, "text", "string", "sentence", "phrase", "paragraph", "input", "value")
}

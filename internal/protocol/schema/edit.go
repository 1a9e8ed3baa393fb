package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// Apply applies the edits in order and returns the new document. Every byte that an edit does not affect is
// unchanged. A new name is added at the end of its object and formatted like its neighbors; an index one past
// the end, or "-", appends to an array. Setting something inside what does not exist, or removing what does not
// exist, is an error.
func Apply(doc json.RawMessage, edits []finding.Edit) (json.RawMessage, error) {
	if !valid(doc) {
		return nil, fmt.Errorf("edit: the document is not valid JSON")
	}
	for _, edit := range edits {
		changed, err := apply(doc, edit)
		if err != nil {
			return nil, fmt.Errorf("edit %q: %w", edit.Pointer, err)
		}
		doc = changed
	}
	return doc, nil
}

func apply(doc json.RawMessage, edit finding.Edit) (json.RawMessage, error) {
	tokens, ok := Tokens(edit.Pointer)
	if !ok {
		return nil, fmt.Errorf("not a JSON Pointer")
	}
	if edit.Value != nil && !valid(edit.Value) {
		return nil, fmt.Errorf("the new value is not valid JSON")
	}
	at, found := locateTokens(doc, tokens)
	switch {
	case edit.Value == nil && (!found || len(tokens) == 0):
		return nil, fmt.Errorf("nothing to remove there")
	case edit.Value == nil:
		return remove(doc, tokens), nil
	case found:
		return splice(doc, at, bytes.TrimSpace(edit.Value)), nil
	}
	return add(doc, tokens, bytes.TrimSpace(edit.Value))
}

// splice replaces one span in a copy of doc.
func splice(doc json.RawMessage, at span, with []byte) json.RawMessage {
	return slices.Concat(doc[:at.start], with, doc[at.end:])
}

func add(doc json.RawMessage, tokens []string, value []byte) (json.RawMessage, error) {
	last := tokens[len(tokens)-1]
	parent, ok := locateTokens(doc, tokens[:len(tokens)-1])
	if !ok {
		return nil, fmt.Errorf("the parent does not exist")
	}
	switch doc[parent.start] {
	case '{':
		return addMember(doc, parent, last, value)
	case '[':
		return addElement(doc, parent, last, value)
	}
	return nil, fmt.Errorf("the parent is neither an object nor an array")
}

func addMember(doc json.RawMessage, parent span, name string, value []byte) (json.RawMessage, error) {
	members, brace, err := objectSpans(doc, parent.start, nil)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		before, after, colon := emptyLayout(doc, parent)
		member := slices.Concat([]byte(before), rawjson.Quote(name), []byte(colon), value, []byte(after))
		return splice(doc, span{parent.start + 1, brace}, member), nil
	}
	last := members[len(members)-1]
	colon := doc[last.key.end:last.value.start]
	before := layout(doc, parent, len(members), last.key.start, bytes.TrimLeft(colon, ":"))
	member := slices.Concat([]byte(","), before, rawjson.Quote(name), colon, value)
	return splice(doc, span{last.value.end, last.value.end}, member), nil
}

func addElement(doc json.RawMessage, parent span, token string, value []byte) (json.RawMessage, error) {
	elements, bracket, err := arraySpans(doc, parent.start, nil)
	if err != nil {
		return nil, err
	}
	if i, ok := index(token); token != "-" && (!ok || i != len(elements)) {
		return nil, fmt.Errorf("the array has %d elements", len(elements))
	}
	if len(elements) == 0 {
		return splice(doc, span{parent.start + 1, bracket}, value), nil
	}
	last := elements[len(elements)-1]
	before := layout(doc, parent, len(elements), last.start, nil)
	return splice(doc, span{last.end, last.end}, slices.Concat([]byte(","), before, value)), nil
}

// layout returns the whitespace to put after a comma: that before the last entry. A single entry on the opening
// line has none; then the space after a colon determines the style.
func layout(doc []byte, parent span, entries, lastStart int, afterColon []byte) []byte {
	start := lastStart
	for start > parent.start+1 && isSpace(doc[start-1]) {
		start--
	}
	if entries == 1 && start == lastStart {
		return afterColon
	}
	return doc[start:lastStart]
}

// emptyLayout formats the first field of an empty object: on its own line if the document is indented.
func emptyLayout(doc []byte, parent span) (before, after, colon string) {
	unit, indented := indentUnit(doc)
	if !indented {
		return "", "", colonStyle(doc)
	}
	line := bytes.LastIndexByte(doc[:parent.start], '\n') + 1
	end := line
	for end < len(doc) && (doc[end] == ' ' || doc[end] == '\t') {
		end++
	}
	outer := string(doc[line:end])
	return "\n" + outer + unit, "\n" + outer, ": "
}

// indentUnit returns the indentation of the first indented line of the document.
func indentUnit(doc []byte) (string, bool) {
	line := bytes.IndexByte(doc, '\n') + 1
	if line == 0 || skipSpace(doc, 0) >= line {
		return "", false
	}
	end := line
	for end < len(doc) && (doc[end] == ' ' || doc[end] == '\t') {
		end++
	}
	return string(doc[line:end]), end > line
}

// colonStyle follows the first field of the document.
func colonStyle(doc []byte) string {
	if members, _, err := objectSpans(doc, 0, nil); err == nil && len(members) > 0 {
		return string(doc[members[0].key.end:members[0].value.start])
	}
	return ":"
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// remove removes the value at tokens, which exists. All duplicates are removed: removing only the last would
// expose the one before it.
func remove(doc json.RawMessage, tokens []string) json.RawMessage {
	for {
		parent, _ := locateTokens(doc, tokens[:len(tokens)-1])
		entries, at := entrySpans(doc, parent, tokens[len(tokens)-1])
		doc = cut(doc, parent, entries, at)
		if _, again := locateTokens(doc, tokens); !again || doc[parent.start] == '[' {
			return doc
		}
	}
}

// entrySpans returns the spans of all entries of an object or array, and which of them the token selects.
func entrySpans(doc []byte, parent span, token string) (entries []span, at int) {
	if doc[parent.start] == '[' {
		entries, _, _ = arraySpans(doc, parent.start, nil)
		at, _ = index(token)
		return entries, at
	}
	members, _, _ := objectSpans(doc, parent.start, nil)
	for i, m := range members {
		entries = append(entries, span{m.key.start, m.value.end})
		if named(doc, m, token) {
			at = i
		}
	}
	return entries, at
}

// cut removes one entry with its comma and whitespace.
func cut(doc json.RawMessage, parent span, entries []span, at int) json.RawMessage {
	switch {
	case len(entries) == 1:
		return splice(doc, span{parent.start + 1, parent.end - 1}, nil)
	case at+1 < len(entries):
		return splice(doc, span{entries[at].start, entries[at+1].start}, nil)
	}
	return splice(doc, span{entries[at-1].end, entries[at].end}, nil)
}

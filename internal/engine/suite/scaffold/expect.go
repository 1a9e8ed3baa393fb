package scaffold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// Limits of what a generated expectation contains.
const (
	maxExpectedText   = 160
	maxExpectedSchema = 600
	maxShapeDepth     = 3
)

// expectations are what the results of two equal calls have in common, by form: the members of structured content and
// of JSON, a short text that stays the same, the kind of other content.
func (w *writer) expectations(first, second *sighting) string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	stable := second.err == nil && first.text() == second.text() && w.lasts(first.text())
	structured, _ := schema.Get(first.result(), "/structuredContent")
	switch {
	case first.rejected():
		add("rejected: true")
		if text := first.text(); stable && isShort(text) {
			target := map[bool]string{true: "error.message", false: "text"}[first.outcome.RPCError() != nil]
			add("target: %s, exact: %s", target, quotedYAML(text))
		}
	case structured != nil:
		add("target: result.structuredContent, schema: %s", shapeWithin(structured))
	default:
		w.content(first, stable, add)
	}
	if len(all) == 1 {
		return "{" + all[0] + "}"
	}
	return "[{" + strings.Join(all, "}, {") + "}]"
}

// content adds expectations on unstructured content.
func (w *writer) content(seen *sighting, stable bool, add func(string, ...any)) {
	list, _ := schema.Get(seen.result(), "/content")
	blocks, _ := schema.Elements(list)
	if len(blocks) == 0 {
		add("target: result.content, length: 0")
		return
	}
	text := seen.text()
	switch first := schema.TextAt(blocks[0], "/type"); {
	case first != "text":
		add("target: \"result.content[0].type\", exact: %s", quotedYAML(first))
		if kind := schema.TextAt(blocks[0], "/mimeType"); kind != "" {
			add("target: \"result.content[0].mimeType\", exact: %s", quotedYAML(kind))
		}
	case len(blocks) == 1 && volatile.IsJSON(text):
		add("expression: %s", quotedYAML(".content[0].text | fromjson | "+jsonForm([]byte(text))))
	case stable && (isShort(text) || text == ""):
		add("target: text, exact: %s", quotedYAML(text))
	case text == "":
		add("target: text, exists: true")
	case stable && w.opening(text) != "":
		add("target: text, contains: %s", quotedYAML(w.opening(text)))
	default:
		add("target: text, length: {min: 1}")
	}
}

// isShort reports whether a text is short enough to be expected as a whole.
func isShort(text string) bool {
	return text != "" && len(text) <= maxExpectedText && !strings.Contains(text, "\n")
}

// opening is the first line of a longer text.
func (w *writer) opening(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if line = strings.TrimSpace(line); len(line) > maxExpectedText/2 {
		return ""
	}
	return line
}

// lasts reports whether a text can be the same tomorrow and on another machine, and has no secret and nothing that an
// editor does not show.
func (w *writer) lasts(text string) bool {
	if w.Scrub != nil && w.Scrub(text) != text {
		return false
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' }) {
		return false
	}
	return volatile.Normalize(text, time.Now()) == text && !slices.ContainsFunc(w.Here, func(local string) bool {
		return local != "" && strings.Contains(text, local)
	})
}

// jsonForm is a jq expression that a JSON value of this form meets.
func jsonForm(raw json.RawMessage) string {
	if schema.Kind(raw) == '[' {
		return `type == "array"`
	}
	members, _ := schema.Members(raw)
	if isRecord(members) {
		members = nil
	}
	var parts []string
	for _, m := range members {
		if part := "has(" + string(variables.Quoted(m.Name)) + ")"; len(strings.Join(parts, "")+part) < maxExpectedText {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return `type == "object"`
	}
	return strings.Join(parts, " and ")
}

// shapeWithin is the form of a value as a JSON Schema, as deep as fits in a line.
func shapeWithin(raw json.RawMessage) string {
	for depth := maxShapeDepth; depth > 0; depth-- {
		if shape := shapeOf(raw, depth); len(shape) <= maxExpectedSchema {
			return flowYAML(shape)
		}
	}
	return flowYAML(shapeOf(raw, 0))
}

// shapeOf is the form of a value: its type, the names of its members, the form of its first item.
func shapeOf(raw json.RawMessage, depth int) json.RawMessage {
	switch schema.Kind(raw) {
	case '{':
		return objectShape(raw, depth)
	case '[':
		list, _ := schema.Elements(raw)
		if len(list) == 0 || depth == 0 || !sameKind(list) {
			return json.RawMessage(`{"type":"array"}`)
		}
		return fmt.Appendf(nil, `{"type":"array","minItems":1,"items":%s}`, shapeOf(list[0], depth-1))
	case '"':
		return json.RawMessage(`{"type":"string"}`)
	case '0':
		return json.RawMessage(`{"type":"number"}`)
	case 't', 'f':
		return json.RawMessage(`{"type":"boolean"}`)
	}
	return json.RawMessage(`{}`) // null may be another value next time
}

func objectShape(raw json.RawMessage, depth int) json.RawMessage {
	members, _ := schema.Members(raw)
	if depth == 0 || len(members) == 0 || isRecord(members) {
		return json.RawMessage(`{"type":"object"}`)
	}
	var properties, required bytes.Buffer
	for i, m := range members {
		if i > 0 {
			properties.WriteByte(',')
			required.WriteByte(',')
		}
		required.Write(variables.Quoted(m.Name))
		fmt.Fprintf(&properties, "%s:%s", variables.Quoted(m.Name), shapeOf(m.Value, depth-1))
	}
	return fmt.Appendf(nil, `{"type":"object","required":[%s],"properties":{%s}}`, required.Bytes(), properties.Bytes())
}

// maxFields is the maximum number of fields of an object whose names are expected.
const maxFields = 20

// isRecord reports whether the names of an object are data, such as IDs or the names of variables.
func isRecord(members []schema.Member) bool {
	return len(members) > maxFields || slices.ContainsFunc(members, func(m schema.Member) bool {
		return volatile.Normalize(m.Name, time.Now()) != m.Name || m.Name == "PATH" // the environment of the server
	})
}

// sameKind reports whether all items of a list have the same type and, if they are objects, the same members.
func sameKind(list []json.RawMessage) bool {
	names := func(raw json.RawMessage) string {
		members, _ := schema.Members(raw)
		all := []string{string(rune(schema.Kind(raw)))}
		for _, m := range members {
			all = append(all, m.Name)
		}
		return strings.Join(all, "\x00")
	}
	for _, item := range list[1:] {
		if names(item) != names(list[0]) {
			return false
		}
	}
	return true
}

package inspector

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Inline is the size from which text must be fetched separately.
const Inline = 128 << 10

func get(doc json.RawMessage, pointer string) (json.RawMessage, bool) {
	return schema.Get(doc, pointer)
}

func textOf(raw json.RawMessage) (string, bool) { return schema.Text(raw) }

// textAt returns the string at a pointer, or "".
func textAt(doc json.RawMessage, pointer string) string {
	raw, _ := get(doc, pointer)
	text, _ := textOf(raw)
	return text
}

func flagAt(doc json.RawMessage, pointer string) bool {
	raw, _ := get(doc, pointer)
	return string(raw) == "true"
}

// indent indents JSON, and changes nothing else: numbers, escapes and the order of keys are unchanged. Invalid
// JSON is returned unchanged.
func indent(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	value := jsontext.Value(append([]byte(nil), raw...))
	err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return string(raw)
	}
	return string(value)
}

// indentSmall is indent for inline text; empty if it is too large.
func indentSmall(raw json.RawMessage) string {
	if len(raw) > Inline {
		return ""
	}
	return indent(raw)
}

package view

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Inline is the size from which text must be fetched separately.
const Inline = 128 << 10

func FlagAt(doc json.RawMessage, pointer string) bool {
	raw, _ := schema.Get(doc, pointer)
	return string(raw) == "true"
}

// Indent indents JSON, and changes nothing else: numbers, escapes and the order of keys are unchanged. Invalid
// JSON is returned unchanged.
func Indent(raw json.RawMessage) string {
	if raw == nil {
		return ""
	}
	value := jsontext.Value(append([]byte(nil), raw...))
	err := value.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		return string(raw)
	}
	return string(value)
}

// IndentSmall is indent for inline text; empty if it is too large.
func IndentSmall(raw json.RawMessage) string {
	if len(raw) > Inline {
		return ""
	}
	return Indent(raw)
}
